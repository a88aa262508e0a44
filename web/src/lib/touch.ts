/** touch tells that a thumb points here, not a mouse: rows are as high as it needs. */
export const touch = matchMedia('(pointer: coarse)').matches;
