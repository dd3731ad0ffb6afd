import { type Command, Option } from 'commander'
import type { Interruption } from './interruption.ts'
import type { Output } from './output.ts'

interface Surroundings extends Pick<Interruption, 'signal' | 'settle'> {
  readonly out: Output
}

const examplesText = (examples: readonly string[]) => `\nExamples:\n${examples.map((e) => `  ${e}`).join('\n')}`

/** What names the data sets, and where their tokens are. */
const servedOptions = (command: Command): Command =>
  command
    .addOption(new Option('--policy <files...>', 'the policy files, one per data set').default(['reticent.yaml']))
    .option('--tokens <file>', 'the token file (default: FILE.tokens beside each policy)')
    .option('--json', 'print JSON', false)

/** `serve` and `token`: for those who let others ask over the network. */
export function serverCommands(program: Command, { out, signal, settle }: Surroundings): void {
  servedOptions(program.command('serve').description('answer questions over HTTP, with a page for browsers'))
    .option('--host <host>', 'the address to listen on; other machines need tokens', '127.0.0.1')
    .option('--port <port>', 'the port; 0 for any free one', '8080')
    .option('--tls-cert <file>', 'a certificate in PEM format, for https')
    .option('--tls-key <file>', 'the key of the certificate')
    .option('--allow-host <names...>', 'host names of the server')
    .option('--trust-proxy', 'trust the addresses and host names that a reverse proxy reports', false)
    .option('--rate <n>', 'requests per second and token; 0 for no limit', '100')
    .option('--job-rows <n>', 'the most rows that a synthetic table may have', '10000000')
    .option('--job-space <gb>', 'gigabytes that the files of one analyst’s jobs may take up', '5')
    .option('--all-job-space <gb>', 'gigabytes that the files of all jobs of a data set may take up', '20')
    .option('--job-days <n>', 'days after which the files of a job are deleted; 0 for never', '0')
    .addHelpText(
      'after',
      examplesText([
        'reticent serve',
        'reticent serve --policy census.yaml payroll.yaml --port 9000',
        'reticent serve --host 0.0.0.0 --tls-cert server.pem --tls-key server.key',
        'reticent serve --trust-proxy --allow-host data.example.org 2>> reticent.log',
      ]),
    )
    .action(async (options) => {
      await (await import('./commands/serve.ts')).serve(options, out, signal())
      settle()
    })

  const token = program
    .command('token')
    .description('manage who may ask over HTTP; each token belongs to an analyst of the policy, or to an owner')
  const load = () => import('./commands/token.ts')
  servedOptions(token.command('add [name]').description('make a token; it is shown once, and only its hash is stored'))
    .option('--owner', 'for an owner, who may do everything', false)
    .addHelpText(
      'after',
      examplesText([
        'reticent token add alice',
        'reticent token add --owner',
        'reticent token add alice --policy census.yaml payroll.yaml --json',
      ]),
    )
    .action(async (name, options) => (await load()).add(name, options, out))
  servedOptions(token.command('list').description('list the tokens, without the tokens themselves'))
    .addHelpText('after', examplesText(['reticent token list', 'reticent token list --json']))
    .action(async (options) => (await load()).list(options, out))
  servedOptions(token.command('revoke <id>').description('revoke a token at once; its jobs stop'))
    .addHelpText('after', examplesText(['reticent token revoke 3f9a0c51d2e8']))
    .action(async (id, options) => (await load()).revoke(id, options, out))
}
