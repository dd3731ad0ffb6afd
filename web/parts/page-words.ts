/** What the program's words call an option of the command line is a choice of the page, or is not on it. */
export const pageWords = (text: string): string =>
  text
    .replaceAll(/; --floor sets another limit/g, '')
    .replaceAll(/ With --floor F, [^.]*\./g, '')
    .replaceAll(/--epsilon\b/g, '“for ε”')
    .replaceAll(/--within\b/g, '“within ±”')
