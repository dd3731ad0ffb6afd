/** Work in steps, each announced by a few words: between them it can be stopped, and say how far it is. */
export type Steps<T> = Generator<string, T, void>

/** All of it, without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** So much of what is left is done in a step: how many there will be is not known. */
const shareOfRest = 0.08

/** With a pause before every step, which is told the share of the work that is done, about, and what comes next. */
export async function withPauses<T>(
  steps: Steps<T>,
  pause: ((share: number, doing: string) => Promise<void>) | undefined,
): Promise<T> {
  for (let share = 0; ; share += shareOfRest * (1 - share)) {
    const step = steps.next()
    if (step.done) return step.value
    await pause?.(share, step.value)
  }
}
