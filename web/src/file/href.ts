// The address of the page of a file.

/** fileHref is the page of a file, at one of its changes if it is given. */
export function fileHref(path: string, change = ''): string {
  const query = new URLSearchParams({ path, ...(change === '' ? {} : { change }) });
  return `/file?${query.toString()}`;
}
