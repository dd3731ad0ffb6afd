/** Round numbers from 0 to the first one at or above `most`: about so many steps of 1, 2 or 5 times a power of ten. */
export function ticksUpTo(most: number, steps: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most / steps))
  const step = power * ([1, 2, 5, 10].find((k) => k * power * steps >= most * 0.999) ?? 10)
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, i) => i * step)
}
