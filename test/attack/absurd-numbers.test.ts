import { expect, test } from 'vitest'
import { policyText, Workspace } from '../system/workspace.ts'

const workspace = new Workspace({ 'reticent.yaml': policyText.replace('epsilon: 1.0', 'epsilon: 1000') }).withLedger()

async function command(...args: string[]): Promise<{ status: number | null; text: string }> {
  const { status, stdout, stderr } = await workspace.here(...args)
  return { status, text: stdout + stderr }
}

const count = 'SELECT COUNT(*) FROM people WHERE age >= 65'
const marginals = ['release', 'marginals', '--ways', '1', '--plan']
const options: [string, (value: string) => string[]][] = [
  ['ask --within', (value) => ['ask', count, `--within=${value}`, '--plan']],
  ['ask --floor', (value) => ['ask', count, '--relative=0.5', `--floor=${value}`, '--plan']],
  [
    'ask --floor of an average',
    (value) => ['ask', 'SELECT AVG(age) FROM people', '--within=5', `--floor=${value}`, '--plan'],
  ],
  ['ask --relative', (value) => ['ask', count, `--relative=${value}`, '--floor=10', '--plan']],
  ['ask --epsilon', (value) => ['ask', 'SELECT AVG(income) FROM people', `--epsilon=${value}`, '--plan']],
  ['ask --max-epsilon', (value) => ['ask', count, '--within=50', `--max-epsilon=${value}`, '--plan']],
  ['ask --confidence', (value) => ['ask', count, '--within=50', `--confidence=${value}`, '--plan']],
  ['ask --probability', (value) => ['ask', count, `--probability=> ${value}`]],
  ['release tree --epsilon', (value) => ['release', 'tree', '--of=age', `--epsilon=${value}`, '--plan']],
  [
    'release tree --fan-out',
    (value) => ['release', 'tree', '--of=age', '--epsilon=0.1', `--fan-out=${value}`, '--plan'],
  ],
  ['release marginals --ways', (value) => ['release', 'marginals', '--epsilon=0.1', `--ways=${value}`, '--plan']],
  ['release marginals --epsilon', (value) => [...marginals, `--epsilon=${value}`]],
  ['release marginals --floor', (value) => [...marginals, '--epsilon=0.1', `--floor=${value}`]],
  ['release marginals --floor as a share', (value) => [...marginals, '--epsilon=0.1', `--floor=${value}n`]],
  [
    'release marginals --first-share',
    (value) => [...marginals, '--epsilon=0.1', '--method=two-phase', `--first-share=${value}`],
  ],
  ['release marginals --count-share', (value) => [...marginals, '--epsilon=0.1', `--count-share=${value}`]],
  ['release marginals --records', (value) => [...marginals, '--epsilon=0.1', `--records=${value}`]],
  ['ledger cap', (value) => ['ledger', 'cap', value]],
  ['ledger verify --receipt', (value) => ['ledger', 'verify', `--receipt=${value}`]],
  ['audit --samples', (value) => ['audit', 'nosuch', `--samples=${value}`]],
  ['audit --seconds', (value) => ['audit', 'nosuch', `--seconds=${value}`]],
  ['experiment run --seed', (value) => ['experiment', 'run', 'nosuch', `--seed=${value}`]],
  ['demo --rows', (value) => ['demo', '--dir', workspace.path('reticent.yaml'), `--rows=${value}`]],
]
const absurd = [
  '0',
  '1e300',
  '1e-300',
  '1e309',
  '1e9999',
  'NaN',
  'Infinity',
  '',
  '0x10',
  '1/3',
  '9'.repeat(400),
  '1e30',
  '-1',
]

test.each(options)('%s takes no number that makes no sense', async (_, args) => {
  for (const value of absurd) {
    const { status, text } = await command(...args(value))
    expect([0, 1, 2], `${value}: ${text}`).toContain(status)
    expect(text, value).not.toMatch(/inside Reticent itself|RangeError|^ +at /m)
    // No number at all: whatever it is for, the command was wrong.
    if (['NaN', '', 'Infinity'].includes(value)) expect(status, `${value}: ${text}`).toBe(2)
  }
})
