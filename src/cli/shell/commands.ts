import { suggesting, usage } from '../../schema/index.ts'
import { historyOf, improve } from '../commands/history.ts'
import { table } from '../format.ts'
import type { OutputFormat } from '../output-format.ts'
import { attributesText, attributeText } from '../text/attributes.ts'
import { budgetText } from '../text/budget.ts'
import type { ShellSession } from './session.ts'
import { changed, settingNames, settingsText } from './settings.ts'

/** What a backslash and a word do. */
interface ShellCommand {
  readonly names: readonly string[]
  readonly takes?: string
  readonly help: string
  readonly run: (session: ShellSession, text: string) => Promise<void>
}

const own: readonly ShellCommand[] = [
  {
    names: ['plan', 'p'],
    takes: '[SQL]',
    help: 'what a statement would cost (default: the last one)',
    run: (session, sql) => session.plan(sql),
  },
  {
    names: ['model', 'm'],
    takes: 'NAME [SQL]',
    help: 'the estimate of a model of the history: kernel, maxent, mixture',
    run: async (session, text) => {
      const [, model, sql] = /^(\S*)\s*(.*)$/s.exec(text)!
      if (!model) throw usage('\\model needs the name of a model', 'For example: \\model kernel')
      await session.askModel(model, sql!)
    },
  },
  {
    names: ['budget', 'b'],
    help: 'what is spent and what is left',
    run: async ({ data, out }) => {
      const budget = await data.budget()
      await out.result(budget, budgetText(budget))
    },
  },
  {
    names: ['history', 'h'],
    takes: '[ROW]',
    help: 'everything that was asked, or one purchase in detail',
    run: ({ data, out }, row) => historyOf(data, row || undefined, out),
  },
  {
    names: ['improve'],
    help: 'what the history says about earlier questions now',
    run: ({ data, out }) => improve(data, out),
  },
  {
    names: ['attributes', 'd'],
    takes: '[NAME]',
    help: 'what can be asked about, or the values of one attribute',
    run: async ({ data: { policy }, out }, name) => {
      const { attributes } = policy.universe
      await out.result(attributes, name === '' ? attributesText(policy, out.width) : attributeText(policy, name))
    },
  },
  {
    names: ['output', 'o'],
    takes: 'table|csv|json',
    help: 'how answers are printed',
    run: async (session, format) => {
      if (!['table', 'csv', 'json'].includes(format)) throw usage('\\output takes table, csv or json')
      session.print(format as OutputFormat)
    },
  },
  {
    names: ['settings', 's'],
    help: 'the current settings',
    run: ({ out, settings }) => out.note(settingsText(settings)),
  },
  { names: ['help', '?'], help: 'this list', run: ({ out }) => out.note(help()) },
  { names: ['quit', 'q'], help: 'leave; so does Ctrl-D', run: async (session) => session.quit() },
]

const helpOfSettings: readonly (readonly [string, string])[] = [
  ['\\within W [FLOOR]', 'answers within ± W from now on'],
  ['\\epsilon E', 'every question costs E'],
  ['\\relative R FLOOR', 'answers within a share R of their size'],
  ['\\free', 'answers from earlier releases alone'],
  ['\\max-epsilon E', 'the most that a question may cost'],
  ['\\confidence C', 'the confidence of intervals: 0.95'],
  ['\\all-within', 'whether the intervals of all groups hold simultaneously'],
  ['\\always', 'whether intervals hold even if questions depend on answers'],
  ['\\explain', 'whether to list the measurements behind answers'],
  ['\\as NAME', 'who asks'],
]

export const commandNames: readonly string[] = [...own.flatMap(({ names }) => names), ...settingNames].filter(
  (name) => name.length > 1,
)

/** Does what a line that begins with a backslash says. */
export async function runCommand(session: ShellSession, line: string): Promise<void> {
  const [, name, text] = /^\\([^\s;]*)\s*(.*?)[\s;]*$/s.exec(line.trim())!
  const command = own.find(({ names }) => names.includes(name!))
  if (command) return command.run(session, text!)
  if (!settingNames.includes(name!))
    throw usage(`there is no command \\${suggesting(name!, commandNames).replace(/^"(.*?)"/, '$1')}`, 'See \\help.')
  session.settings = changed(session.settings, name!, text!.split(/\s+/).filter(Boolean))
  await session.out.note(settingsText(session.settings))
}

function* help(): Iterable<string> {
  yield 'SQL ends in a semicolon and may have several lines. Tab completes names and values.'
  yield* table(
    ['command', 'what it does'],
    [
      ...helpOfSettings,
      ...own.map(
        ({ names, takes, help }) =>
          [`${names.map((name) => `\\${name}`).join(' ')}${takes ? ` ${takes}` : ''}`, help] as const,
      ),
    ],
  )
  yield 'Ctrl-C discards the input, or stops a question; Ctrl-D leaves.'
}
