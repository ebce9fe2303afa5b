#ifndef INDIUM_SI_MSAA_H
#define INDIUM_SI_MSAA_H

/* The standard position of a sample in its pixel, each coordinate in [0, 1). samples: 1, 2, 4, 8. */
void si_sample_position(unsigned samples, unsigned sample, float xy[2]);

#endif
