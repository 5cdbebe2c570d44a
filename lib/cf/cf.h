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
 * The name of an attribute that describes integers whose values have names (an enumeration type of
 * HDF5). It is of kind TEXTS: each name is followed by its number. Its dtype is that of the
 * integers, or AXT_BOOL for the type that h5py makes of bool, and its text is the path of the type
 * in the file, or NULL. It is never written as an attribute, since it describes stored values, as
 * packing does.
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
	 * The shape in which the values were stored, `rank` lengths; NULL: a line of n values, or
	 * none. Of kind TEXT: {1} if the text was stored as a list of one text, else NULL.
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
 * axt_attr_drop makes a list without the attribute of that name. axt_attr_set makes one with `a`,
 * in the place of the attribute of its name, or at the end. The list l does not change, and the new
 * list shares its nodes.
 */
struct axt_attr *axt_attr_drop(struct axt_arena *m, const struct axt_attr *l, const char *name);
struct axt_attr *axt_attr_set(struct axt_arena *m, const struct axt_attr *l,
    const struct axt_attr *a);
/* Makes a list of the attributes whose names are wanted. */
struct axt_attr *axt_attrs_only(struct axt_arena *m, const struct axt_attr *l,
    bool (*wanted)(const char *name));
/*
 * Gives `a`, the new value of an attribute, the shape of `old` if they have the same number of
 * values: a number that was stored by itself stays so, and a text stays a list of one. old may be
 * NULL.
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
 * The attributes whose text names other datasets. The first AXT_NNAMING_CF are of CF; "edges",
 * which is of older conventions, and those of meshes, by the UGRID conventions, follow.
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
	 * [nmiss]: the bits of the same values, for i64 and u64 with numbers that f64 cannot tell
	 * apart; NULL for other dtypes, and where f64 can tell all of them.
	 */
	const uint64_t *bits;
	/*
	 * What is wrong with an attribute, such as "scale_factor is text", so that stored values
	 * cannot be unpacked; NULL: nothing.
	 */
	const char *wrong;
};
/*
 * Reads the packing from the attributes l. `stored` is the dtype that axt_with_sign gives. Numbers
 * in _FillValue and missing_value that this dtype cannot hold are ignored. Of i64 that are times,
 * or differences of times as NumPy has them, the least number is missing as well: xarray writes
 * NumPy's NaT so. If memory runs out, m is marked as failed and there are no missing values.
 */
void axt_packing_read(struct axt_arena *m, const struct axt_attr *l, enum axt_dtype stored,
    struct axt_packing *p);
/*
 * axt_unpacked_dtype gives the dtype of unpacked values, and axt_unpacking_dtype the one in which
 * they are computed: f64 for wide integers, of which different ones can be equal in f32.
 */
enum axt_dtype axt_unpacked_dtype(enum axt_dtype stored, const struct axt_packing *p);
enum axt_dtype axt_unpacking_dtype(enum axt_dtype stored, enum axt_dtype unpacked);
/*
 * Unpacks n stored values of dtype `from` to dtype `to`, which axt_unpacked_dtype gives. Missing
 * values become NaN. The results have the same bits as those of the operations MASK and UNPACK, by
 * which expressions unpack.
 */
void axt_unpack_values(void *out, enum axt_dtype to, const void *in, enum axt_dtype from, int64_t n,
    const struct axt_packing *p);
/*
 * Gives the least and the greatest valid value, by the attribute valid_range, or valid_min and
 * valid_max. They are unpacked, and of the dtype that axt_unpacking_dtype gives. As in netCDF, an
 * attribute of a float dtype on packed integers has unpacked values, and any other has stored ones.
 * Returns false if no attribute gives a range, or the range is empty or not of real numbers; and
 * for integers without packing and missing values, such as flags, which could not become NaN.
 */
bool axt_valid_read(const struct axt_attr *l, enum axt_dtype stored, const struct axt_packing *p,
    double valid[2]);
/*
 * The dtype as which stored integers of dtype d are read: the attribute _Unsigned may change d to
 * the dtype of the same size with, or without, a sign.
 */
enum axt_dtype axt_with_sign(const struct axt_attr *l, enum axt_dtype d);
/*
 * The list with flag_values and flag_meanings in place of AXT_ENUM, for formats without enumeration
 * types. In flag_meanings, blanks within a name become "_".
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
 * The list, with `name` removed from the text of its attribute "coordinates": the dataset of that
 * name has become the coordinates of an axis, and is no auxiliary dataset any more.
 */
const struct axt_attr *axt_coordinates_less(struct axt_arena *m, const struct axt_attr *l,
    const char *name);
/* The list without attributes that describe stored values. */
const struct axt_attr *axt_attrs_unpacked(struct axt_arena *m, const struct axt_attr *l);
/*
 * The list for values that were computed: as axt_attrs_unpacked gives it, and without the
 * attributes that name a type of MATLAB, or the number of bits or digits that netCDF rounded stored
 * values to.
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
 * Which degrees a unit stands for: those of latitudes, as degrees_north, degreeN and DEGREES_N,
 * those of longitudes, as degrees_east, or those of any angle, as degrees and deg. Case and blanks
 * do not matter. NULL is no unit.
 */
enum axt_degrees { AXT_DEGREES_NONE, AXT_DEGREES_ANY, AXT_DEGREES_NORTH, AXT_DEGREES_EAST };
enum axt_degrees axt_units_degrees(const char *u);
/*
 * Whether attributes say that values are differences, whose conversion to other units adds no
 * offset: a range or a standard deviation by cell_methods, or "temperature: difference" by
 * units_metadata.
 */
bool axt_attrs_difference(const struct axt_attr *l);
/*
 * Writes the root of degree `root` of the product of units[i] to the power power[i]: "m s-1" and
 * "s", each to the power 1, give "m". Returns false if a unit is unknown, has an offset as degC
 * has, or is an angle, or if the product has no such root.
 */
#define AXT_UNITS_FACTORS 16
#define AXT_UNITS_TEXT 256
bool axt_units_product(int n, const char *const units[], const int power[], int root,
    char out[AXT_UNITS_TEXT]);
/*
 * How values of one unit become values of another: v * scale + offset. Months since a date have no
 * fixed length; they, and times that they become, are converted by instants, from `from` to `to`.
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
 * axt_units_in_calendar gives `units` for a calendar whose years all have one length: years and
 * months become days, so that "K/year" is "K/(360 day)" in 360_day. UDUNITS knows only years of
 * 365.24 days. axt_units_way finds the way from one unit to another by UDUNITS, which is loaded
 * when two units differ for the first time. For AXT_UNITS_ABSENT, *absent says why it cannot be
 * loaded.
 */
const char *axt_units_in_calendar(struct axt_arena *m, const char *units, const char *calendar);
enum axt_units_fit axt_units_way(const char *from, const char *to, struct axt_units_way *out,
    const char **absent);
/* Whether the word is a number with a unit, such as 850hPa; *out is that number in `units`. */
bool axt_units_measure(const char *word, const char *units, double *out);
/*
 * A unit of CF time, such as "days since 1850-01-01 12:00", in a calendar; calendar NULL is
 * standard.
 */
struct axt_cftime {
	double unit; /* seconds per unit; of months and years, on average */
	/*
	 * How many months of the calendar a unit is, for "months since" and "years since"; 0: a
	 * unit has a fixed length; AXT_CFTIME_NUMBERS: values are dates as numbers, such as
	 * 20010116.5, whose units CDO calls "day as %Y%m%d.%f".
	 */
	int months;
	int calendar;
	/*
	 * The reference instant, in seconds since the beginning of 2000-01-01, day 0 of the
	 * calendar.
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
 * Changes t, months or years since an instant, to days since it. Returns the text of the new units,
 * or NULL if memory runs out.
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
 * In fields.c: the fields of dates, which have numbers k from 0. axt_cffield_named gives the number
 * of a name, or -1; axt_cffield_name the name of a number, or NULL after the last; axt_cffield_of
 * the value of field k, which for a date is a number such as 20100601.
 */
int axt_cffield_named(const char *name);
const char *axt_cffield_name(int k);
int64_t axt_cffield_of(const struct axt_cffields *f, int k);
/*
 * Writes the value v of field k as text: "DJF" for a season, "2010-06-01" for a date, else a
 * number. Returns whether the text is something else than a number.
 */
#define AXT_CFFIELD_TEXT 64
bool axt_cffield_text(int k, int64_t v, char out[AXT_CFFIELD_TEXT]);
/* How many digits the numbers of field k have at most; of years, those of our time. */
int axt_cffield_digits(int k);
/*
 * A range of values of a field, from lo to hi. If lo > hi, it goes on from the last value to the
 * first, as months 11 to 2 do. axt_cfwant_parse reads "6", "6:8" or, for seasons, first letters of
 * months such as "JJA".
 */
struct axt_cfwant {
	int field;
	int64_t lo, hi;
};
bool axt_cfwant_parse(int k, const char *s, struct axt_cfwant *w);
/*
 * Periods of n hours, days, months, seasons or years. December belongs to the winter of the next
 * year. lib/groups/periods.c reads the words for them, such as "month", "5 days" and "12h".
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
 * Sets *k to the number of the hour, day, month, season or year in which the instant v lies.
 * `first`: of hours, the number is that of the first hour of the day. Returns false if v is no
 * instant.
 */
bool axt_cfperiod_unit(const struct axt_cfperiod *p, const struct axt_cftime *t, double v,
    bool first, int64_t *k);
/* The instant, in the units of t, at which unit k begins. */
double axt_cfperiod_begin(const struct axt_cfperiod *p, const struct axt_cftime *t, int64_t k);
/*
 * axt_cftime_same_count tells whether the seconds of two calendars can be compared, as those of the
 * standard and the Julian one can. axt_cftime_calendar gives the name of a calendar.
 */
bool axt_cftime_same_count(int a, int b);
const char *axt_cftime_calendar(int calendar);
/*
 * The instant v in seconds since day 0 of the calendar, so that instants of one calendar can be
 * compared. Months since a date are counted as in CDO: whole months lead to the same day of another
 * month, or, where that month is too short, into the month after it; a fraction is taken of the
 * length of that other month.
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
 * In typed.c: reads [OBJECT:]NAME=TEXT or [OBJECT:]NAME:=NUMBERS. *object is NULL for the tensor,
 * "" for the file, else the name of an axis. *out gets the name, and the text. *numbers is NULL for
 * a text, else the text of the numbers, from which axt_attr_numbers makes *out.
 */
int axt_attr_parse(struct axt_arena *m, const char *spec, const char **object, struct axt_attr *out,
    const char **numbers, struct axt_err *e);
/*
 * Reads the numbers of the attribute out->name. l are the attributes of its tensor or axis,
 * `stored` is the dtype of the values in the file (AUTO: they are no numbers), and `from` is its
 * name for messages. Errors: SYNTAX, DTYPE, RANGE.
 */
int axt_attr_numbers(struct axt_arena *m, const char *text, enum axt_dtype stored,
    const struct axt_attr *l, const char *from, struct axt_attr *out, struct axt_err *e);

#endif
