/*
 * main.c - the one program for all commands. The build makes a hard link to it for each command,
 * and the name that it is called by chooses the command. Names without a function cmd_main_NAME are
 * those of operations (cmd/operation.c).
 */
#include <string.h>

#include "priv.h"

#define COMMAND(name) int cmd_main_##name(int argc, char *argv[]);
#include "list.inc"
#undef COMMAND

static const struct {
	const char *name;
	int (*main)(int argc, char *argv[]);
} commands[] = {
#define COMMAND(name) { #name, cmd_main_##name },
#include "list.inc"
#undef COMMAND
};

int
cmd_run(int argc, char *argv[])
{
	const char *name = argc > 0 ? argv[0] : "", *slash = strrchr(name, '/');

	name = slash ? slash + 1 : name;
	if (strncmp(name, "axt-", 4) != 0)
		return cmd_main_axt(argc, argv);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].name, name + 4) == 0)
			return commands[i].main(argc, argv);
	return cmd_main_operation(argc, argv);
}

int
main(int argc, char *argv[])
{
	return cmd_run(argc, argv);
}
