import type { Output } from '../../src/cli/output.ts'

/** Keeps what a command says. */
export function listener() {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
  const said: { value?: any; text: string } = { text: '' }
  const silent = async () => {}
  const out: Output = {
    json: false,
    format: 'table',
    width: 80,
    result: async (value, text) => {
      Object.assign(said, { value, text: typeof text === 'string' ? text : [...text].join('\n') })
    },
    part: silent,
    note: silent,
    failure: silent,
  }
  return { said, out }
}
