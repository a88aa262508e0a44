/** touch reports whether the pointer is a finger, which needs higher rows. */
export const touch = matchMedia('(pointer: coarse)').matches;
