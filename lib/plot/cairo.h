/* cairo.h - the functions of cairo that pictures are drawn with; its types are opaque. */
#ifndef AXT_PLOT_CAIRO_H
#define AXT_PLOT_CAIRO_H

#include "base/library.h"

struct axt_text_extents {
	double x_bearing, y_bearing, width, height, x_advance, y_advance;
};
typedef int axt_cairo_write(void *closure, const unsigned char *data, unsigned n);

#define AXT_CAIRO_FUNCTIONS(F)                                                                \
	F(image_surface_create, void *, (int format, int w, int h))                           \
	F(image_surface_get_data, unsigned char *, (void *surface))                           \
	F(image_surface_get_stride, int, (void *surface))                                     \
	F(surface_flush, void, (void *surface))                                               \
	F(surface_mark_dirty, void, (void *surface))                                          \
	F(surface_finish, void, (void *surface))                                              \
	F(surface_destroy, void, (void *surface))                                             \
	F(surface_status, int, (void *surface))                                               \
	F(surface_write_to_png_stream, int, (void *surface, axt_cairo_write *, void *to))     \
	F(svg_surface_create_for_stream, void *, (axt_cairo_write *, void *, double, double)) \
	F(pdf_surface_create_for_stream, void *, (axt_cairo_write *, void *, double, double)) \
	F(pdf_surface_set_metadata, void, (void *surface, int what, const char *text))        \
	F(create, void *, (void *surface))                                                    \
	F(destroy, void, (void *cr))                                                          \
	F(status, int, (void *cr))                                                            \
	F(save, void, (void *cr))                                                             \
	F(restore, void, (void *cr))                                                          \
	F(translate, void, (void *cr, double x, double y))                                    \
	F(scale, void, (void *cr, double x, double y))                                        \
	F(rotate, void, (void *cr, double angle))                                             \
	F(set_source_rgb, void, (void *cr, double r, double g, double b))                     \
	F(set_source_surface, void, (void *cr, void *surface, double x, double y))            \
	F(get_source, void *, (void *cr))                                                     \
	F(pattern_set_filter, void, (void *pattern, int filter))                              \
	F(set_line_width, void, (void *cr, double w))                                         \
	F(set_line_join, void, (void *cr, int join))                                          \
	F(move_to, void, (void *cr, double x, double y))                                      \
	F(line_to, void, (void *cr, double x, double y))                                      \
	F(rectangle, void, (void *cr, double x, double y, double w, double h))                \
	F(arc, void, (void *cr, double x, double y, double r, double from, double to))        \
	F(new_path, void, (void *cr))                                                         \
	F(stroke, void, (void *cr))                                                           \
	F(fill, void, (void *cr))                                                             \
	F(paint, void, (void *cr))                                                            \
	F(clip, void, (void *cr))                                                             \
	F(select_font_face, void, (void *cr, const char *family, int slant, int weight))      \
	F(set_font_size, void, (void *cr, double size))                                       \
	F(show_text, void, (void *cr, const char *text))                                      \
	F(text_extents, void, (void *cr, const char *text, struct axt_text_extents *out))

struct axt_cairo {
#define F(name, type, args) type(*name) args;
	AXT_CAIRO_FUNCTIONS(F)
#undef F
};
/* The library, loaded when it is wanted for the first time. NULL: *why says what is missing. */
const struct axt_cairo *axt_cairo(const char **why);

#endif
