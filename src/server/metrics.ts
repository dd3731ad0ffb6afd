/** Upper ends of the classes that durations are counted in, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Labels = { readonly [name: string]: string | number }

const keyOf = (name: string, labels: Labels): string => {
  const said = Object.entries(labels).map(([label, value]) => `${label}="${escaped(String(value))}"`)
  return said.length > 0 ? `${name}{${said.join(',')}}` : name
}
const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** What Prometheus collects: counts since the start, and states as they are now. */
export class Metrics {
  readonly #counters = new Map<string, { readonly dataset?: string | number; readonly value: number }>()
  readonly #durations = { classes: new Float64Array(bounds.length), count: 0, sum: 0 }

  count(name: string, labels: Labels = {}, by = 1): void {
    const key = keyOf(name, labels)
    this.#counters.set(key, { dataset: labels.dataset, value: (this.#counters.get(key)?.value ?? 0) + by })
  }
  duration(seconds: number): void {
    this.#durations.count++
    this.#durations.sum += seconds
    for (const [i, bound] of bounds.entries()) if (seconds <= bound) this.#durations.classes[i]!++
  }

  /** As text, for who may know of these data sets and of no others; states are given, since others know them. */
  text(
    states: readonly { readonly name: string; readonly labels: Labels; readonly value: number }[],
    datasets: ReadonlySet<string | number>,
  ): string {
    const counters = [...this.#counters]
      .filter(([, { dataset }]) => dataset === undefined || datasets.has(dataset))
      .map(([key, { value }]) => `${key} ${value}`)
      .sort()
    const { classes, count, sum } = this.#durations
    const name = 'reticent_request_seconds'
    return [
      ...counters,
      ...states.map(({ name, labels, value }) => `${keyOf(name, labels)} ${value}`),
      `# TYPE ${name} histogram`,
      ...bounds.map((bound, i) => `${name}_bucket{le="${bound}"} ${classes[i]}`),
      `${name}_bucket{le="+Inf"} ${count}`,
      `${name}_sum ${sum}`,
      `${name}_count ${count}`,
      '',
    ].join('\n')
  }
}
