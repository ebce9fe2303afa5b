/* Options of applications from files in the form of Mesa's drirc:
 *
 *    <driconf>
 *       <device driver="indium">
 *          <application name="Some game" executable="game.x86_64">
 *             <option name="assume_no_z_fights" value="true"/>
 *          </application>
 *       </device>
 *    </driconf>
 *
 * An application without executable is every one. Devices of other drivers, and elements that are none of these, are
 * passed over, so that the file may be that of Mesa. */
#ifndef INDIUM_AUX_DRICONF_H
#define INDIUM_AUX_DRICONF_H

#include <stdbool.h>
#include <stddef.h>

struct aux_driconf_option {
   const char *name;
   bool value; /* stays as it is where nobody says anything */
};

#define AUX_DRICONF_MESSAGE_B 320

/* Reads one text. executable: that of the process. False with a message of one line, "line 3, column 7: ..."; the
 * options are as they were then. */
bool aux_driconf_parse(const char *text, size_t size_B, const char *executable, struct aux_driconf_option *options,
                       unsigned count, char message[AUX_DRICONF_MESSAGE_B]);

/* Reads /etc/drirc and ~/.drirc, or the file that the environment variable INDIUM_DRIRC names instead. What is wrong
 * with a file is logged in one line, and the file left out. */
void aux_driconf(struct aux_driconf_option *options, unsigned count);

#endif
