import { readFileSync } from 'node:fs'
import { Command, CommanderError, Option } from 'commander'
import { ReticentError } from '../schema/index.ts'
import { type Interruption, interruption } from './interruption.ts'
import { type Output, output } from './output.ts'

/** What is the caller's to put right in the command itself. */
const wrongUsage = new Set(['usage', 'analyst-required'])

/** Runs the CLI and says how it went: 0 done, 1 refused or failed, 2 wrong usage, 128 + n ended by signal n. */
export async function run(argv: readonly string[]): Promise<number> {
  const out = output(argv.includes('--json'))
  const stop = interruption()
  let status = 0
  const program = build(out, stop, (code) => {
    status = code
  })
  try {
    await program.parseAsync(argv)
    return stop.status() ?? status
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      if (error.code === 'commander.help') return 2 // no command given: the help has been shown
      await out.failure(
        new ReticentError('usage', {}, { message: error.message.replace(/^error: /, ''), hint: 'See --help.' }),
      )
      return 2
    }
    await out.failure(error)
    return stop.status() ?? (error instanceof ReticentError && wrongUsage.has(error.code) ? 2 : 1)
  }
}

const version = (): string => JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

function build(out: Output, { signal }: Interruption, setStatus: (code: number) => void): Command {
  const program = new Command('reticent')
    .description('Differential privacy that remembers: private answers about a table, in SQL, from one budget.')
    .version(version(), '-V, --version', 'print the version')
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    // Options belong to the command that they follow: `ledger verify --policy FILE` is verify's.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .helpCommand(false)

  const command = (parent: Command, usage: string, description: string, examples: string[]) => {
    const made = parent
      .command(usage)
      .description(description)
      .addOption(new Option('--policy <file>', 'the policy file').default('reticent.yaml'))
      .option('--json', 'print JSON', false)
    return made.addHelpText('after', `\nExamples:\n${examples.map((e) => `  ${e}`).join('\n')}`)
  }

  command(program, 'init <data>', 'draft a policy for the owner to review; it looks at the data', [
    'reticent init people.csv',
    'reticent init "data/*.parquet" --policy people.yaml',
  ]).action(async (data, options) => (await import('./commands/init.ts')).init(data, options, out, signal()))

  command(program, 'check', 'are policy, source and ledger in order? what is promised? (for the owner)', [
    'reticent check',
    'reticent check --json',
  ]).action(async (options) => setStatus(await (await import('./commands/check.ts')).check(options, out)))

  ledgerCommands(
    command(program, 'ledger', 'the record of everything spent and released', ['reticent ledger create']),
    command,
    { out, signal, setStatus },
  )

  command(program, 'ask <sql>', 'ask a question; the answer is noisy, and charged to the ledger', [
    'reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --within 100',
    'reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --free --explain',
    'reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --probability "> 30000"',
    'reticent ask "SELECT AVG(age) FROM census WHERE sex = \'Female\'" --within 0.5 --max-epsilon 0.1',
    'reticent ask "SELECT state, AVG(age) FROM census GROUP BY state" --within 2 --floor 500 --plan',
    'reticent ask "SELECT state, AVG(age) FROM census GROUP BY state" --epsilon 0.2 --json',
    'reticent ask "SELECT COUNT(*) FROM census" --epsilon 0.01 --plan',
  ])
    .option('--within <w>', 'how precise: the answer lies within ± this; buys only what is missing for it')
    .option('--relative <r>', 'how precise, relative to the answer: 0.05 for 5%; needs --floor')
    .option(
      '--floor <f>',
      'with --relative: numbers below this need be no more precise than this one; with --within: nor averages of fewer',
    )
    .option('--max-epsilon <e>', 'with --within or --relative: the most that it may cost')
    .option('--epsilon <e>', 'what the whole question costs: it is added to what is known already')
    .option('--free', 'only what has been released already tells', false)
    .option('--confidence <c>', 'that the interval holds the exact number', '0.95')
    .option('--all-within', 'the intervals of all groups hold at once, not each by itself', false)
    .option('--probability <claim>', 'how likely a claim such as "> 1000" is; alone, from what has been released')
    .option('--explain', 'say which measurements the answer was made of', false)
    .option('--plan', 'only say what it would cost and how precise it would be', false)
    .option('--as <analyst>', 'who asks, where the policy names analysts')
    .action(async (sql, options) => (await import('./commands/ask.ts')).ask(sql, options, out, signal()))

  releaseCommands(
    command(program, 'release', 'publish something larger at once', [
      'reticent release marginals --ways 2 --epsilon 0.3 --out tables',
      'reticent release tree --of age --epsilon 0.3',
    ]),
    command,
    { out, signal },
  )

  command(program, 'budget', 'what is spent and what is left', ['reticent budget', 'reticent budget --json']).action(
    async (options) => (await import('./commands/budget.ts')).budget(options, out),
  )
  command(program, 'history', 'everything that was ever asked', ['reticent history', 'reticent history --improve'])
    .option('--improve', 'what each purchase said by itself, and what all of the history says now; free', false)
    .action(async (options) => (await import('./commands/history.ts')).history(options, out))
  command(
    program,
    'audit [mechanisms...]',
    'run the mechanisms against their claims; broken ones among them must be caught',
    ['reticent audit --all', 'reticent audit laplace refinement --samples 1e6 --html audit.html'],
  )
    .option('--all', 'every mechanism and every control', false)
    .option('--samples <n>', 'at most so many runs of each', '1000000')
    .option('--seconds <s>', 'at most about so long in all', '240')
    .option('--html <file>', 'write a page with plots of the privacy loss')
    .action(async (names, options) => setStatus(await (await import('./commands/audit.ts')).audit(names, options, out)))
  experimentCommands(
    command(program, 'experiment', 'measure what is claimed, on made-up data', ['reticent experiment list']),
    command,
    out,
  )
  command(program, 'demo', 'make a synthetic census and ask it a few questions', [
    'reticent demo',
    'reticent demo --rows 1000000 --dir /tmp/census',
  ])
    .option('--dir <dir>', 'where to put it', 'demo')
    .option('--rows <n>', 'how many people to make up', '200000')
    .option('--fresh', 'throw an earlier demo away and start over', false)
    .action(async (options) => (await import('./commands/demo.ts')).demo(options, out, signal()))
  return program
}

type Make = (parent: Command, usage: string, description: string, examples: string[]) => Command

function experimentCommands(experiment: Command, command: Make, out: Output): void {
  const load = () => import('./commands/experiment.ts')
  command(experiment, 'list', 'the experiments and what they show', ['reticent experiment list']).action(
    async (options) => (await load()).list(options, out),
  )
  command(experiment, 'run <name>', 'run one; prints a table', [
    'reticent experiment run bayes-bounded --quick',
    'reticent experiment run coverage --out results --seed 7',
  ])
    .option('--quick', 'a small one, for a first look', false)
    .option('--out <dir>', 'write NAME.svg and NAME.json into this folder')
    .option('--seed <s>', 'of data and questions; private noise takes none', '1')
    .action(async (name, options) => (await load()).run(name, options, out))
}

interface Surroundings extends Pick<Interruption, 'signal'> {
  readonly out: Output
}

function ledgerCommands(
  ledger: Command,
  command: Make,
  { out, signal, setStatus }: Surroundings & { readonly setStatus: (code: number) => void },
): void {
  const load = () => import('./commands/ledger.ts')
  command(ledger, 'create', 'make the ledger, once; reads the whole source', ['reticent ledger create']).action(
    async (options) => (await load()).create(options, out, signal()),
  )
  command(ledger, 'verify', 'read it all again: chain, structure, sums', [
    'reticent ledger verify',
    'reticent ledger verify --receipt 12:9f86d081…',
  ])
    .option('--receipt <receipt>', 'does this ledger continue the one that gave this receipt?')
    .action(async (options) => setStatus(await (await load()).verify(options, out)))
  command(ledger, 'export', 'its rows as JSON lines, without its secret', [
    'reticent ledger export > ledger.jsonl',
  ]).action(async (options) => (await load()).exportRows(options, out))
  command(ledger, 'epoch', 'accept that the data or the attributes have changed', ['reticent ledger epoch']).action(
    async (options) => (await load()).epoch(options, out),
  )
  command(ledger, 'cap <epsilon>', 'make a new cap binding; the policy must already say it', [
    'reticent ledger cap 2.0',
  ]).action(async (epsilon, options) => (await load()).cap(epsilon, options, out))
  command(ledger, 'restore', 'go on with an older copy, and charge for what it is known to lack', [
    'reticent ledger restore --plan',
    'reticent ledger restore',
  ])
    .option('--plan', 'only say what is lost and what it would be charged', false)
    .action(async (options) => (await load()).restore(options, out))
}

function releaseCommands(release: Command, command: Make, { out, signal }: Surroundings): void {
  command(release, 'tree', 'counts of ever finer ranges of an attribute, so that later ranges of it are free', [
    'reticent release tree --of age --epsilon 0.3',
    'reticent release tree --of age,income --epsilon 0.5 --fan-out 8 --plan',
  ])
    .requiredOption('--of <attributes>', 'an attribute, or two with a comma for a tree over their pairs')
    .requiredOption('--epsilon <e>', 'what the whole tree costs; its levels share it equally')
    .option('--fan-out <k>', 'into how many parts each part is divided', '16')
    .option('--plan', 'only say what it would cost and how noisy it would be', false)
    .option('--as <analyst>', 'who asks, where the policy names analysts')
    .action(async (options) => (await import('./commands/release.ts')).tree(options, out, signal()))
  command(release, 'marginals', 'tables of counts over sets of attributes, made to agree, with a report', [
    'reticent release marginals --ways 2 --epsilon 0.3 --plan',
    'reticent release marginals --ways 2 --epsilon 0.3 --out tables',
    'reticent release marginals --of "age,sex; state" --epsilon 0.1 --floor 30 --format parquet --out tables',
    'reticent release marginals --with education --epsilon 0.2 --method two-phase --out tables',
    'reticent release marginals --ways 1 --free --out tables',
  ])
    .option('--ways <k>', 'all marginals over k attributes')
    .option('--of <list>', 'these: attributes with commas between, marginals with semicolons')
    .option('--with <attribute>', 'this attribute by itself and with each other one')
    .option('--epsilon <e>', 'what the whole release costs')
    .option('--free', 'buy nothing: tables that the history tells already', false)
    .option('--method <m>', 'how noise is shared out: ireduct, laplace, two-phase or iresamp', 'ireduct')
    .option('--floor <f>', 'counts below this are judged as if they were so large: 30, or 0.0001n', '0.0001n')
    .option('--first-share <s>', 'of two-phase: the share of ε for a first look')
    .option('--count-share <s>', 'the share of ε for the number of records, where it is not known', '0.02')
    .option('--records <n>', 'with --plan: about how many records there are, where it is not known')
    .option('--raw', 'publish what was measured, and nothing made of it', false)
    .option('--plan', 'only say what it would cost and how far off it would be', false)
    .option('--format <f>', 'csv or parquet', 'csv')
    .option('--as <analyst>', 'who asks, where the policy names analysts')
    .option('--out <dir>', 'a folder that does not exist yet')
    .action(async (options) => (await import('./commands/marginals.ts')).marginals(options, out, signal()))
}
