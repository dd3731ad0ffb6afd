/** What the mark on numbers that noise alone could have made means, where there are any. */
export function NoiseKey({ mark, isShown }: { readonly mark: 'Brown' | 'Hatched'; readonly isShown: boolean }) {
  return isShown ? <p class="small soft">{mark}: the interval holds 0, so it may be nothing but noise.</p> : null
}
