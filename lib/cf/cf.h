/*
 * cf.h - what attributes mean by the CF conventions: lists of attributes, packed values, units,
 * times, and kinds of tensors.
 */
#ifndef AXT_CF_CF_H
#define AXT_CF_CF_H

#include "dtype/dtype.h"

/*
 * An attribute of a tensor, of the coordinates of an axis, or of a file. Attributes form a list in
 * a fixed order.
 */
enum axt_attr_kind { AXT_ATTR_TEXT, AXT_ATTR_NUM, AXT_ATTR_TEXTS };
/*
 * The attribute that stands for the type of stored integers that have names, an enumeration of
 * HDF5: TEXTS with a name and its number one after another; dtype is theirs, and text is the path
 * of the type, or NULL. Of h5py's bool, which is such a type in HDF5, dtype is AXT_BOOL.
 * It describes stored values, as packing does, and is never written as an attribute.
 */
#define AXT_ENUM "axt_enum"
struct axt_attr {
	const char *name;
	enum axt_attr_kind kind;
	enum axt_dtype dtype; /* of kind NUM: dtype of the values */
	int64_t n;            /* NUM: number of values; TEXTS: number of strings */
	const void *data;     /* NUM: the values in native byte order; TEXTS: const char *const * */
	const char *text;     /* of kind TEXT: NUL-terminated; see AXT_ENUM */
	/*
	 * the shape, of rank numbers, with which it was stored; NULL: n values in a line, or none.
	 * Of kind TEXT: NULL, or {1} where the text was a list of one
	 */
	const int64_t *dims;
	int rank;
	bool fixed; /* a list of texts that had one length for all in its file, as NumPy's have */
	/* the user set it in this command, so that a warning is given if it is dropped */
	bool typed;
	const struct axt_attr *members; /* NUM of an enumeration: what AXT_ENUM is of a dataset */
	struct axt_attr *next;
};
/* Whether an attribute of kind TEXT is a list of one, as the names of a layer's weights may be. */
static inline bool
axt_attr_listed(const struct axt_attr *a)
{
	return a->kind == AXT_ATTR_TEXT && a->dims;
}
/* Gives a the value of a list of n texts, which stay the caller's. A list of one has a rank. */
void axt_attr_set_list(struct axt_attr *a, const char *const *text, int64_t n);
const struct axt_attr *axt_attr_find(const struct axt_attr *l, const char *name);
/* The attribute AXT_ENUM of integers that have names. NULL: there is none, or they are bools. */
const struct axt_attr *axt_attr_enum(const struct axt_attr *l);
/* The text of an attribute. NULL: there is none of that name, or it is no text. */
const char *axt_attr_text(const struct axt_attr *l, const char *name);
/*
 * Whether the attribute cf_role tells that the dataset has the names of stations, profiles or
 * trajectories, which CF takes for coordinates where no attribute of a tensor names them.
 */
bool axt_is_cf_id(const struct axt_attr *l);
/*
 * These make a new list: without the attribute, or with it in its old place, else at the end. Nodes
 * of l are shared and do not change.
 */
struct axt_attr *axt_attr_drop(struct axt_arena *m, const struct axt_attr *l, const char *name);
struct axt_attr *axt_attr_set(struct axt_arena *m, const struct axt_attr *l,
    const struct axt_attr *a);
/* Makes a list of the attributes whose names are wanted. */
struct axt_attr *axt_attrs_only(struct axt_arena *m, const struct axt_attr *l,
    bool (*wanted)(const char *name));
/*
 * Gives a new value the shape of the old one, if that holds it: a number by itself stays one, a
 * list of one text a list. old may be NULL.
 */
void axt_attr_shape_as(struct axt_attr *a, const struct axt_attr *old);
bool axt_attr_equal(const struct axt_attr *a, const struct axt_attr *b);
/* Whether two lists have equal attributes in one order. */
bool axt_attrs_equal(const struct axt_attr *a, const struct axt_attr *b);
/* What the value of an attribute is by CF, appendices A and F. */
enum axt_attr_form {
	AXT_FORM_TEXT,     /* text, or CF says nothing about it */
	AXT_FORM_STORED,   /* numbers of the dtype that is stored: _FillValue */
	AXT_FORM_PACKING,  /* numbers of the dtype of unpacked values: scale_factor */
	AXT_FORM_UNPACKED, /* the same where the tensor is packed: actual_range */
	AXT_FORM_NUMBERS   /* numbers of any dtype */
};
enum axt_attr_form axt_attr_form(const char *name);
/*
 * The attributes whose text names other datasets. Those behind the first seven are not of CF:
 * "edges" is of older conventions, and the others are of meshes, by the UGRID conventions.
 */
enum { AXT_NNAMING_CF = 7, AXT_NNAMING = 19, AXT_NAMING_ANCILLARY = 5, AXT_NAMING_FORMULA = 6 };
extern const char *const axt_naming[AXT_NNAMING];
struct axt_packing {
	/* scaled: there is a scale_factor or add_offset; missing: attributes tell missing values */
	bool scaled, missing;
	double scale, offset;
	/* dtype of scale_factor and add_offset; AUTO if there is neither */
	enum axt_dtype attr_dtype;
	int nmiss;
	const double *miss; /* [nmiss]: stored values that mean missing; NaN does always */
	/*
	 * [nmiss]: the same of i64 and u64, whose numbers f64 does not tell apart, as their bits;
	 * NULL: other dtypes, or all of them fit f64
	 */
	const uint64_t *bits;
	/*
	 * NULL, or what is wrong with an attribute, such as "scale_factor is text": there is no
	 * telling what stored values mean
	 */
	const char *wrong;
};
/*
 * Reads the packing from the list l. stored is the dtype as which values are read, given by
 * axt_with_sign. If memory runs out, m is marked as failed and miss is empty. A number that the
 * stored dtype cannot hold means nothing. The least i64 among times, and among differences of
 * times in nanoseconds, is missing: NumPy's NaT, which xarray writes so.
 */
void axt_packing_read(struct axt_arena *m, const struct axt_attr *l, enum axt_dtype stored,
    struct axt_packing *p);
/*
 * axt_unpacked_dtype is the dtype of unpacked values. The other is the dtype in which they are
 * computed: f64 for wide integers, since different ones can be equal in f32.
 */
enum axt_dtype axt_unpacked_dtype(enum axt_dtype stored, const struct axt_packing *p);
enum axt_dtype axt_unpacking_dtype(enum axt_dtype stored, enum axt_dtype unpacked);
/*
 * Unpacks n stored values of dtype `from` to dtype `to`, which axt_unpacked_dtype gives. Missing
 * values become NaN. The bits are those that the operations MASK and UNPACK give in expressions.
 */
void axt_unpack_values(void *out, enum axt_dtype to, const void *in, enum axt_dtype from, int64_t n,
    const struct axt_packing *p);
/*
 * The least and the greatest valid value, in units of unpacked values, in the dtype that
 * axt_unpacking_dtype gives, by valid_range or valid_min and valid_max. As the conventions of
 * netCDF have it, an attribute of a float dtype beside packed integers is in unpacked units, and
 * any other is in those of stored values. false: there is no such attribute, or its range is empty
 * or no pair of real numbers. Integers that have neither packing nor missing values, such as flags,
 * stay integers, so that they have no range.
 */
bool axt_valid_read(const struct axt_attr *l, enum axt_dtype stored, const struct axt_packing *p,
    double valid[2]);
/*
 * The dtype as which stored integers of dtype d are read. The attribute _Unsigned may change the
 * sign.
 */
enum axt_dtype axt_with_sign(const struct axt_attr *l, enum axt_dtype d);
/*
 * The list with flag_values and flag_meanings in place of AXT_ENUM, for files that have no such
 * types; blanks in names are "_" there.
 */
const struct axt_attr *axt_enum_flags(struct axt_arena *m, const struct axt_attr *l);
/* The bytes that an integer of that size has which is *v. */
static inline const void *
axt_int_bytes(const int64_t *v, int size)
{
	return (const char *)v + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 8 - size : 0);
}
/* Whether an attribute describes stored values: packing, missing values, or their range. */
bool axt_is_packing(const char *name);
/*
 * The list with the name removed from its attribute "coordinates", as of what has become an axis's
 * own coordinates, and is no auxiliary dataset any more.
 */
const struct axt_attr *axt_coordinates_less(struct axt_arena *m, const struct axt_attr *l,
    const char *name);
/* The list without attributes that describe stored values. */
const struct axt_attr *axt_attrs_unpacked(struct axt_arena *m, const struct axt_attr *l);
/*
 * The same of values that are computed, which have not the type in MATLAB that stored ones had, nor
 * the number of bits or digits that netCDF rounded those to.
 */
const struct axt_attr *axt_attrs_recomputed(struct axt_arena *m, const struct axt_attr *l);
/* The list without those numbers of bits or digits that the other list has not as well. */
const struct axt_attr *axt_attrs_rounded(struct axt_arena *m, const struct axt_attr *l,
    const struct axt_attr *other);
/*
 * Whether both units are given and differ. Two spellings of one unit ("m", "metres") do not differ;
 * units of time with different reference instants do.
 */
bool axt_units_differ(const char *a, const char *b);
/* Whether the unit is one of temperature, as K and degC; NULL is none. */
bool axt_units_temperature(const char *u);
/* Whether the unit is one of angles, as degrees_north and radian; NULL is none. */
bool axt_units_angle(const char *u);
/*
 * What degrees the unit tells: of latitudes as degrees_north, degreeN and DEGREES_N do, of
 * longitudes as degrees_east, or of any angles as degrees and deg. Capitals and blanks do not
 * matter. NULL is no unit.
 */
enum axt_degrees { AXT_DEGREES_NONE, AXT_DEGREES_ANY, AXT_DEGREES_NORTH, AXT_DEGREES_EAST };
enum axt_degrees axt_units_degrees(const char *u);
/*
 * Whether attributes tell that values are differences, which have no zero of a scale: a range or a
 * standard deviation by cell_methods, or "temperature: difference" by units_metadata.
 */
bool axt_attrs_difference(const struct axt_attr *l);
/*
 * The unit of a product of powers of units, of which then a root is taken: "m s-1" and "s" to the
 * powers 1 and 1 give "m". false: one of them is unknown, has an offset as degC has, or is an
 * angle; or the root has none.
 */
#define AXT_UNITS_FACTORS 16
#define AXT_UNITS_TEXT 256
bool axt_units_product(int n, const char *const units[], const int power[], int root,
    char out[AXT_UNITS_TEXT]);
/*
 * How values of the unit `from` become those of `to`: v * scale + offset. UDUNITS knows; it is
 * loaded when two units differ for the first time. *absent: why it cannot be, if it cannot. Months
 * since a date have no such way; their instants become those of other times.
 */
struct axt_cftime;
struct axt_units_way {
	double scale, offset;
	const struct axt_cftime *from, *to; /* NULL: scale and offset tell the way */
};
enum axt_units_fit {
	AXT_UNITS_FIT,
	AXT_UNITS_APART, /* units of different quantities */
	AXT_UNITS_FROM_UNKNOWN,
	AXT_UNITS_TO_UNKNOWN,
	AXT_UNITS_CURVED, /* one is logarithmic, and the other is not */
	AXT_UNITS_ABSENT  /* UDUNITS is not here */
};
/*
 * units with the years and months of a calendar that has years of one length in their place, as
 * days: "K/year" in the calendar 360_day is "K/(360 day)". UDUNITS knows only years of 365.24 days.
 */
const char *axt_units_in_calendar(struct axt_arena *m, const char *units, const char *calendar);
enum axt_units_fit axt_units_way(const char *from, const char *to, struct axt_units_way *out,
    const char **absent);
/*
 * A unit of CF time, such as "days since 1850-01-01 12:00", in a calendar; calendar NULL is
 * standard.
 */
struct axt_cftime {
	double unit; /* seconds per unit; of months and years, on average */
	/*
	 * months of the calendar per unit, as "months since" and "years since" count them; 0: a
	 * unit has a fixed length; AXT_CFTIME_NUMBERS: values are dates as numbers, 20010116.5,
	 * which CDO calls "day as %Y%m%d.%f"
	 */
	int months;
	int calendar;
	/*
	 * the reference instant in seconds, from the instant on at which the calendar's day 0
	 * begins, 2000-01-01
	 */
	double epoch;
	/* the reference date has a year 0, so that years before Christ are counted with one */
	bool year_zero;
};
#define AXT_CFTIME_NUMBERS (-1)
/* Returns false if the attributes do not describe a CF time. */
bool axt_cftime_parse(const char *units, const char *calendar, struct axt_cftime *out);
/* The same of a list of attributes of coordinates or values. out NULL: only whether they do. */
bool axt_attrs_time(const struct axt_attr *l, struct axt_cftime *out);
/* The unit that times of these units count, such as "days". NULL: out of memory. */
const char *axt_cftime_unit(struct axt_arena *m, const char *units);
/* Whether the values count from a date, in a unit or calendar that cannot be read. */
bool axt_attrs_undated(const struct axt_attr *l);
/* The days in a year of a calendar that has no leap years, or only such; 0: other calendars. */
double axt_calendar_year(const char *calendar);
/* Writes why they do not, as the end of a sentence such as "it has no units". */
#define AXT_CFTIME_WHY 320
const char *axt_cftime_why(const char *units, const char *calendar, char out[AXT_CFTIME_WHY]);
/* Whether a number means the same instant in both, in calendars that number days alike. */
bool axt_cftime_alike(const struct axt_cftime *a, const struct axt_cftime *b);
/*
 * Turns months or years since an instant into days since then. Returns the text of these units, or
 * NULL if memory runs out.
 */
const char *axt_cftime_days(struct axt_arena *m, struct axt_cftime *t);
/*
 * Writes the instant in ISO 8601: "2010-06-01", with T12:00:00 unless it is midnight, and with a
 * fraction of seconds if there is one. Returns the length.
 */
int axt_cftime_text(const struct axt_cftime *t, double v, char out[40]);
/*
 * The fields of a date. season is 1 (DJF) to 4 (SON); dayofyear begins at 1. axt_cftime_fields
 * returns false if v is no instant.
 */
struct axt_cffields {
	int64_t year;   /* as astronomers count */
	int64_t called; /* the year as it is written; the standard calendar has no year 0 */
	int season, month, day, hour, dayofyear, daysinmonth;
};
bool axt_cftime_fields(const struct axt_cftime *t, double v, struct axt_cffields *out);
/* The number of a day; days of one calendar follow each other. */
int64_t axt_cftime_day(const struct axt_cftime *t, int64_t year, int month, int day);
/*
 * In fields.c: the fields have numbers from 0. axt_cffield_named gives -1 for a name that none has,
 * and axt_cffield_name NULL for a number after the last. A date as a number is 20100601.
 */
int axt_cffield_named(const char *name);
const char *axt_cffield_name(int k);
int64_t axt_cffield_of(const struct axt_cffields *f, int k);
/*
 * Writes the value v of field k: "DJF" of a season, "2010-06-01" of a date, else a number. Returns
 * whether it is no number.
 */
#define AXT_CFFIELD_TEXT 64
bool axt_cffield_text(int k, int64_t v, char out[AXT_CFFIELD_TEXT]);
/* How many digits the numbers of field k have at most; of years, those of our time. */
int axt_cffield_digits(int k);
/*
 * Values of a field from lo to hi; if lo > hi, those from lo to the last and from the first to hi.
 * axt_cfwant_parse reads "6", "6:8" or, of seasons, first letters of months such as "JJA".
 */
struct axt_cfwant {
	int field;
	int64_t lo, hi;
};
bool axt_cfwant_parse(int k, const char *s, struct axt_cfwant *w);
/*
 * Periods of n hours, days, months, seasons or years. December belongs to the winter of the next
 * year. axt_cfperiod_parse reads "month", "5 days" or "12h".
 */
enum axt_cfunit {
	AXT_CF_HOURS,
	AXT_CF_DAYS,
	AXT_CF_MONTHS,
	AXT_CF_SEASONS,
	AXT_CF_YEARS,
	AXT_CF_UNITS
};
struct axt_cfperiod {
	int64_t n;
	enum axt_cfunit unit;
};
/*
 * *k: the number of the hour, day, month, season or year in which the instant v lies. first: of
 * hours, that of the first one of its day. Returns false if v is no instant.
 */
bool axt_cfperiod_unit(const struct axt_cfperiod *p, const struct axt_cftime *t, double v,
    bool first, int64_t *k);
/* The instant, in the units of t, at which unit k begins. */
double axt_cfperiod_begin(const struct axt_cfperiod *p, const struct axt_cftime *t, int64_t k);
/*
 * axt_cftime_same_count: whether seconds of the two calendars can be compared. The other is a
 * calendar's name.
 */
bool axt_cftime_same_count(int a, int b);
const char *axt_cftime_calendar(int calendar);
/*
 * The instant v in seconds from the calendar's day 0 on, so that instants of one calendar can be
 * compared. Months since a date are as CDO has them: whole months are steps in the calendar, and a
 * fraction is that part of the length of the month which these steps reach. A day that this month
 * does not have is counted on into the next.
 */
double axt_cftime_seconds(const struct axt_cftime *t, double v);
/* A kind of tensors: what a tensor is for, which the attribute axt_kind of its dataset tells. */
#define AXT_NKINDS 4
struct axt_tensor_kind {
	const char *name, *line;
	bool constant, persistent, trainable, input;
};
extern const struct axt_tensor_kind axt_tensor_kinds[AXT_NKINDS];
/* The kind of that name; NULL if name is NULL or no kind has it. */
const struct axt_tensor_kind *axt_kind_named(const char *name);
const struct axt_tensor_kind *axt_kind_of(const struct axt_attr *attrs);
/* Writes the names of the kind's flags to out, such as "persistent, trainable", and returns it. */
#define AXT_KIND_FLAGS 64
const char *axt_kind_flags(const struct axt_tensor_kind *k, const char *between,
    char out[AXT_KIND_FLAGS]);
/*
 * Reads a date as it is typed. "2010", "2010-06" or "2010-06-01" is a period, [*from, *to) in the
 * seconds that axt_cftime_seconds gives. With a time of day, as in "2010-06-01T12:30", it is an
 * instant: *from equals *to. Returns false if s is no date.
 */
bool axt_cftime_period(const struct axt_cftime *t, const char *s, double *from, double *to);

/*
 * In typed.c: [OBJECT:]NAME=TEXT or [OBJECT:]NAME:=NUMBERS. *object: NULL the tensor, "" the file,
 * else an axis. *numbers: NULL, or their text, which axt_attr_numbers makes *out of.
 */
int axt_attr_parse(struct axt_arena *m, const char *spec, const char **object, struct axt_attr *out,
    const char **numbers, struct axt_err *e);
/*
 * Numbers of the attribute called out->name, of what has the attributes l and is stored as that
 * dtype (AUTO: no numbers); from: its name for messages. Errors: SYNTAX, DTYPE, RANGE.
 */
int axt_attr_numbers(struct axt_arena *m, const char *text, enum axt_dtype stored,
    const struct axt_attr *l, const char *from, struct axt_attr *out, struct axt_err *e);

#endif
