import { readFileSync } from 'node:fs'
import { Command, CommanderError, Help, Option } from 'commander'
import { problem, ReticentError, usage } from '../schema/index.ts'
import { type Interruption, interruption } from './interruption.ts'
import { type Output, output } from './output.ts'
import { formatIn } from './output-format.ts'
import { policyIn } from './same-policy.ts'
import { serverCommands } from './server-commands.ts'

const alphaText = 'the weight of the answers relative to the prior (default: chosen by cross-validation)'

/** Errors that the caller can fix in the command itself. */
const wrongUsage = new Set(['usage', 'analyst-required'])

/** Runs the CLI and says how it went: 0 done, 1 refused or failed, 2 wrong usage, 128 + n ended by signal n. */
export async function run(argv: readonly string[]): Promise<number> {
  const out = output(formatIn(argv), policyIn(argv))
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
      await out.failure(problem('usage', error.message.replace(/^error: /, ''), 'See --help.'))
      return 2
    }
    await out.failure(error)
    return stop.status() ?? (error instanceof ReticentError && wrongUsage.has(error.code) ? 2 : 1)
  }
}

const version = (): string => JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

const plainHelp = new Help()

/**
 * The commands, their options and their help. What a command does is in its own file, which is loaded when it runs: the help
 * and a wrong option then take no time.
 */
function build(out: Output, { signal, settle }: Interruption, setStatus: (code: number) => void): Command {
  const program = new Command('reticent')
    .description('Differential privacy that remembers: private answers about a table, in SQL, from one budget.')
    .version(version(), '-V, --version', 'print the version')
    .configureOutput({ outputError: () => {} })
    // What is off unless it is given needs no word about that.
    .configureHelp({
      optionDescription: (option) => plainHelp.optionDescription(option).replace(/ \(default: false\)/, ''),
    })
    .exitOverride()
    // Options belong to the command that they follow: `ledger verify --policy FILE` is verify's.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .helpCommand(false)

  const withoutPolicy: Make = (parent, usage, description, examples) =>
    parent
      .command(usage)
      .description(description)
      .option('--json', 'print JSON', false)
      .addHelpText('after', `\nExamples:\n${examples.map((e) => `  ${e}`).join('\n')}`)
  const command: Make = (...of) =>
    withoutPolicy(...of).addOption(new Option('--policy <file>', 'the policy file').default('reticent.yaml'))

  command(program, 'init <data>', 'draft a policy from the data, for the owner to review', [
    'reticent init people.csv',
    'reticent init "data/*.parquet" --policy people.yaml',
    'reticent init store.duckdb --table people',
    'reticent init postgresql://me@host/shop --table people    (the password: in PGPASSWORD or ~/.pgpass)',
    'reticent init env:SHOP --table people    (SHOP holds the address, with its password)',
    'reticent init https://me@host:8443 --catalog lake --schema s --table people --password env:TRINO_PASSWORD',
  ])
    .option('--table <name>', 'the table of a database, if it has several')
    .option('--encoding <e>', 'the encoding of a text file: utf-8, latin-1 or windows-1252')
    .option('--catalog <name>', 'Trino: the catalog of the table')
    .option('--schema <name>', 'Trino: its schema')
    .option('--password <env:NAME>', 'Trino: the environment variable with the password')
    .option('--token <env:NAME>', 'Trino: the environment variable with a token')
    .option('--ca <file>', 'Trino: the certificate authority of the server')
    .action(async (data, options) => (await import('./commands/init.ts')).init(data, options, out, signal()))

  command(program, 'check', 'check policy, source and ledger, and say what is promised (for the owner)', [
    'reticent check',
    'reticent check --json',
  ]).action(async (options) => setStatus(await (await import('./commands/check.ts')).check(options, out, signal())))

  ledgerCommands(
    command(program, 'ledger', 'the record of everything that was spent and released', ['reticent ledger create']),
    command,
    { out, signal, setStatus },
  )

  const asking = command(
    program,
    'ask [sql]',
    'ask a question in SQL; the answer is noisy, and its cost is charged to the ledger',
    [
      'reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --within 100',
      'reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --free --explain',
      'reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --probability "> 30000"',
      'reticent ask "SELECT AVG(age) FROM census WHERE sex = \'Female\'" --within 0.5 --max-epsilon 0.1',
      'reticent ask "SELECT state, AVG(age) FROM census GROUP BY state" --within 2 --floor 500 --plan',
      'reticent ask "SELECT state, AVG(age) FROM census GROUP BY state" --epsilon 0.2 --json',
      'reticent ask "SELECT COUNT(*) FROM census" --epsilon 0.01 --plan',
      'reticent ask -f questions.sql --within 100 --csv > answers.csv',
      'reticent ask "SELECT AVG(age) FROM census WHERE sex = \'Female\'" --model kernel',
      'reticent ask "SELECT AVG(age) FROM census WHERE sex = \'Female\'" --model census.model.json',
    ],
  )
  questionOptions(asking)
    .option('-f, --file <file>', 'ask the statements in a file, each ending in a semicolon; - is standard input')
    .option('--probability <claim>', 'give the probability of a claim such as "> 1000"; by itself it buys nothing')
    .option('--explain', 'list the measurements behind the answer', false)
    .option('--plan', 'say what it would cost and how precise it would be; buy nothing', false)
    .option(
      '--model <name>',
      'let a model answer, free and without an interval: kernel, maxent or mixture, fitted to earlier answers; or the model file of a synthetic table',
    )
    .option('--alpha <a>', alphaText)
    .action(async (sql, { file, output: _, csv: __, ...options }) => {
      const questions = await (await import('./questions.ts')).questionsOf(sql, file)
      if (options.model === undefined && options.alpha !== undefined) throw usage('--alpha goes with --model')
      if (options.model === undefined) return (await import('./commands/ask.ts')).ask(questions, options, out, signal())
      return (await import('./commands/ask-model.ts')).askOfModel(questions, options, out, signal())
    })

  questionOptions(
    command(program, 'shell', 'a prompt for many questions, with completion; it remembers the precision that you set', [
      'reticent shell --within 100',
      'reticent shell --free < questions.sql',
    ]),
  )
    .option('--explain', 'list the measurements behind answers', false)
    .action(async ({ output: _, csv: __, ...options }) =>
      setStatus(await (await import('./shell/shell.ts')).shell(options, out, signal())),
    )

  releaseCommands(
    command(program, 'release', 'release many answers at once', [
      'reticent release marginals --ways 2 --epsilon 0.3 --out tables',
      'reticent release tree --of age --epsilon 0.3',
    ]),
    command,
    { out, signal },
  )

  synthCommand(command, program, { out, signal })

  command(program, 'budget', 'show what is spent and what is left', [
    'reticent budget',
    'reticent budget --json',
  ]).action(async (options) => (await import('./commands/budget.ts')).budget(options, out))
  command(program, 'history [row]', 'list everything that was ever asked, or show one purchase in detail', [
    'reticent history',
    'reticent history 12',
    'reticent history --improve',
    'reticent history --improve --model kernel',
  ])
    .option('--improve', 'compare what each purchase says by itself with what the whole history says now; free', false)
    .option(
      '--model <name>',
      'with --improve: also show the estimates of a model of the history: kernel, maxent or mixture',
    )
    .option('--alpha <a>', alphaText)
    .action(async (row, options) => (await import('./commands/history.ts')).history(row, options, out, signal()))
  withoutPolicy(
    program,
    'audit [mechanisms...]',
    'test the privacy claims of the mechanisms; deliberately broken ones must be caught',
    ['reticent audit --all', 'reticent audit laplace refinement --samples 1e6 --html audit.html'],
  )
    .option('--all', 'every mechanism and every control', false)
    .option('--samples <n>', 'the maximum number of runs of each mechanism', '1000000')
    .option('--seconds <s>', 'the maximum total time, approximately', '240')
    .option('--html <file>', 'write a page with plots of the privacy loss')
    .action(async (names, options) => setStatus(await (await import('./commands/audit.ts')).audit(names, options, out)))
  experimentCommands(
    withoutPolicy(program, 'experiment', 'repeat the experiments in the docs, on made-up data', [
      'reticent experiment list',
    ]),
    withoutPolicy,
    out,
  )
  serverCommands(program, { out, signal, settle })
  withoutPolicy(program, 'demo', 'make a synthetic census and ask it a few questions', [
    'reticent demo',
    'reticent demo --rows 1000000 --dir /tmp/census',
  ])
    .option('--dir <dir>', 'the folder to put it in', 'demo')
    .option('--rows <n>', 'how many people to make up', '200000')
    .option('--fresh', 'delete an earlier demo and start over', false)
    .option('--serve', 'then serve its web page (the default in a terminal)')
    .option('--no-serve', 'end after the tour')
    .action(async (options) => {
      await (await import('./commands/demo.ts')).demo(options, out, signal())
      settle()
    })
  return program
}

/** How precise answers must be or what they may cost, and how they are printed. */
const questionOptions = (command: Command): Command =>
  command
    .addOption(new Option('--output <format>', 'the output format').choices(['table', 'csv', 'json']))
    .addOption(
      new Option('--csv', 'print CSV: one line per group, with the ends of the intervals').conflicts([
        'json',
        'output',
      ]),
    )
    .option(
      '--within <w>',
      'the half-width of the interval: the answer is within ± this; only the missing precision is bought',
    )
    .option('--relative <r>', 'the answer must be this precise relative to its size: 0.05 for 5%; needs --floor')
    .option(
      '--floor <f>',
      'with --relative: counts below the floor may have a larger relative error; with --within: so may averages of fewer records',
    )
    .option('--max-epsilon <e>', 'with --within or --relative: the most that the question may cost')
    .option('--epsilon <e>', 'the price of the whole question; the answer also uses everything released before')
    .option('--free', 'answer from earlier releases alone; buy nothing', false)
    .option('--confidence <c>', 'the probability that the interval contains the exact number', '0.95')
    .option('--all-within', 'make the intervals of all groups hold simultaneously, not each by itself', false)
    .option(
      '--always',
      'make all intervals asked for with --always hold simultaneously, even if questions depend on earlier answers',
      false,
    )
    .option('--as <analyst>', 'your name, if the policy names analysts')

type Make = (parent: Command, usage: string, description: string, examples: string[]) => Command

function experimentCommands(experiment: Command, command: Make, out: Output): void {
  const load = () => import('./commands/experiment.ts')
  command(experiment, 'list', 'list the experiments and what they show', ['reticent experiment list']).action(
    async (options) => (await load()).list(options, out),
  )
  command(experiment, 'run <name>', 'run one experiment and print its table', [
    'reticent experiment run bayes-bounded --quick',
    'reticent experiment run coverage --out results --seed 7',
  ])
    .option('--quick', 'a small version, for a first look', false)
    .option('--out <dir>', 'write NAME.svg and NAME.json into this folder')
    .option('--seed <s>', 'the seed for data and questions; private noise cannot be seeded', '1')
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
  const ownerOption = () =>
    new Option('--owner <address>', 'in PostgreSQL: the role that will own the ledger, as postgresql://… or env:NAME')
  command(ledger, 'create', 'create the ledger, once; reads the whole source', [
    'reticent ledger create',
    'reticent ledger create --owner env:LEDGER_OWNER',
  ])
    .addOption(ownerOption())
    .action(async (options) => (await load()).create(options, out, signal()))
  command(ledger, 'verify', 'read the whole ledger again and check its chain, structure and sums', [
    'reticent ledger verify',
    'reticent ledger verify --receipt 12:9f86d081…',
  ])
    .option('--receipt <receipt>', 'check that this ledger continues the one that gave this receipt')
    .action(async (options) => setStatus(await (await load()).verify(options, out)))
  command(ledger, 'export', 'print its rows as JSON lines, without its secret', [
    'reticent ledger export > ledger.jsonl',
  ]).action(async (options) => (await load()).exportRows(options, out))
  command(ledger, 'epoch', 'accept that the data or the attributes have changed', ['reticent ledger epoch']).action(
    async (options) => (await load()).epoch(options, out, signal()),
  )
  command(ledger, 'cap <epsilon>', 'change the cap to the one that the policy already states', [
    'reticent ledger cap 2.0',
  ]).action(async (epsilon, options) => (await load()).cap(epsilon, options, out))
  command(ledger, 'restore', 'continue with an older copy, charged for the rows that it is known to lack', [
    'reticent ledger restore --plan',
    'reticent ledger restore',
  ])
    .option('--plan', 'only say what is lost and what the charge would be', false)
    .action(async (options) => (await load()).restore(options, out))
  command(ledger, 'move', 'move the ledger between a file and PostgreSQL; the old one is closed', [
    'reticent ledger move --to env:LEDGER --owner env:LEDGER_OWNER',
    'reticent ledger move --to census.ledger',
  ])
    .requiredOption('--to <place>', 'the new place: a file, postgresql://… or env:NAME')
    .option('--schema <name>', 'the schema in PostgreSQL (default: reticent_ and the name of the dataset)')
    .addOption(ownerOption())
    .action(async (options) => (await load()).move(options, out))
}

function synthCommand(command: Make, program: Command, { out, signal }: Surroundings): void {
  command(program, 'synth', 'make a synthetic table that anybody may keep, with a report and the model behind it', [
    'reticent synth --epsilon 0.5 --plan',
    'reticent synth --epsilon 0.5 --out made-up.csv',
    'reticent synth --epsilon 0.5 --rows 10000 --check 0.05 --out made-up.parquet',
    'reticent synth --free --out made-up.csv',
    'reticent synth --epsilon 0.5 --method mwem --queries wanted.sql --rounds 12 --out made-up.duckdb',
    'reticent synth --epsilon 0.5 --queries parities:3 --rounds 20 --fitting once --output average --out made-up.csv',
    'reticent synth --epsilon 0.5 --queries 2-way --start-share 0.2 --rounds 10 --sampling independent --out made-up.csv',
  ])
    .option('--epsilon <e>', 'the price of everything that the model is fitted to')
    .option('--free', 'fit the model to earlier answers alone: costs nothing, and opens no data')
    .option(
      '--method <m>',
      'pairs, mwem, factored, maxent or independent (default: the better of the first two); with --free: maxent or mixture',
    )
    .option(
      '--queries <q>',
      'the workload that the table should answer well: 2-way, ranges:1000, parities:3 or FILE.sql; used by pairs, mwem and factored',
    )
    .option('--rounds <n>', 'the number of rounds of mwem or factored, or adaptive')
    .option(
      '--start-share <s>',
      'the share of ε for counts of all cells, which mwem starts from: 0 for none, 1 for nothing else',
    )
    .option('--fitting <f>', 'the fitting method of mwem: once, replay or smooth; of factored: once or replay')
    .option('--output <o>', 'the model that mwem uses: last, or the average over all rounds')
    .option('--alpha <a>', `with --free and maxent: ${alphaText}`)
    .option('--ways <k>', 'with maxent: buy all marginals over this many attributes (default: 2)')
    .option(
      '--marginals <m>',
      'with maxent: the method that buys them: laplace, ireduct, two-phase, iresamp or, with a δ, gaussian',
    )
    .option('--prior-share <s>', 'with maxent: the share of ε for one-way marginals, which its prior is made from')
    .option('--rows <n>', 'how many records to make up (default: about as many as there are)')
    .option(
      '--sampling <s>',
      'rounded: the model’s counts, rounded to whole numbers; independent: each record drawn independently',
    )
    .option('--check <e>', 'also buy a noisy score of the finished table: its distance from the private one')
    .option('--count-share <s>', 'the share of ε for the number of records, if it is not known', '0.02')
    .option('--records <n>', 'with --plan: about how many records there are, if it is not known')
    .option('--plan', 'say what it would cost and how much noise it would have; buy nothing', false)
    .option('--as <analyst>', 'your name, if the policy names analysts')
    .option('--out <file>', 'a file that does not exist yet; its extension sets the format: .csv, .parquet or .duckdb')
    .action(async (options) => (await import('./commands/synth.ts')).synth(options, out, signal()))
}

function releaseCommands(release: Command, command: Make, { out, signal }: Surroundings): void {
  command(release, 'tree', 'count ever finer ranges of an attribute, so that any range of it is free later', [
    'reticent release tree --of age --epsilon 0.3',
    'reticent release tree --of age,income --epsilon 0.5 --fan-out 8 --plan',
  ])
    .requiredOption('--of <attributes>', 'one attribute, or two separated by a comma')
    .requiredOption('--epsilon <e>', 'the price of the whole tree; its levels share it equally')
    .option('--fan-out <k>', 'the number of parts that each range is divided into', '16')
    .option('--plan', 'say what it would cost and how noisy it would be; buy nothing', false)
    .option('--as <analyst>', 'your name, if the policy names analysts')
    .action(async (options) => (await import('./commands/tree.ts')).tree(options, out, signal()))
  command(release, 'marginals', 'publish tables of counts that agree with each other, with a report', [
    'reticent release marginals --ways 2 --epsilon 0.3 --plan',
    'reticent release marginals --ways 2 --epsilon 0.3 --out tables',
    'reticent release marginals --of "age,sex; state" --epsilon 0.1 --floor 30 --format parquet --out tables',
    'reticent release marginals --with education --epsilon 0.2 --method two-phase --out tables',
    'reticent release marginals --of "age; sex,state" --method gaussian --weights "4, 1" --epsilon 1 --out tables',
    'reticent release marginals --ways 1 --free --out tables',
  ])
    .option('--ways <k>', 'all marginals over k attributes')
    .option('--of <list>', 'these marginals: commas between attributes, semicolons between marginals')
    .option('--with <attribute>', 'this attribute by itself and with every other one')
    .option(
      '--epsilon <e>',
      'the price of the whole release; with a δ in the policy, the release by itself is (ε, δ)-private',
    )
    .option('--free', 'buy nothing; make the tables from earlier releases', false)
    .option(
      '--method <m>',
      'how noise is allocated: ireduct (default), laplace, two-phase or iresamp; with a δ in the policy: gaussian (default) or two-phase; the others use Laplace noise, which then costs far more',
    )
    .option('--weights <list>', 'with gaussian or laplace: how the price is divided, a number per marginal: "4, 1"')
    .option(
      '--floor <f>',
      'errors of counts below the floor are taken relative to it: 30, or 0.0001n, a share of all records (default: 0.0001n, but at least 10)',
    )
    .option('--first-share <s>', 'with two-phase: the share of ε for the first look')
    .option('--count-share <s>', 'the share of ε for the number of records, if it is not known', '0.02')
    .option('--records <n>', 'with --plan: about how many records there are, if it is not known')
    .option('--raw', 'publish only the measured values', false)
    .option('--plan', 'say what it would cost and how large the error would be; buy nothing', false)
    .option('--format <f>', 'csv or parquet', 'csv')
    .option('--as <analyst>', 'your name, if the policy names analysts')
    .option('--out <dir>', 'a folder that does not exist yet')
    .action(async (options) => (await import('./commands/marginals.ts')).marginals(options, out, signal()))
}
