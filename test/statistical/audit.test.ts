import { describe, expect, test } from 'vitest'
import { audit, mechanisms, seededBits } from '../../src/evaluation/index.ts'

/*
 * A small audit of everything. A shipped mechanism that keeps its claim fails its test with probability at most 10^-6 per seed; the seeds
 * are fixed, but for what goes through the meter, which takes no seed. A control passes only if its runs prove the violation.
 */
const bits = () => seededBits(20_260_301)

describe('controls', () => {
  // Every sample of exact scores is a whole release: the long tests have them.
  const isLong = ({ name }: { name: string }) => name === 'synth-pairs-exact-scores'
  for (const control of mechanisms.filter((m) => m.kind === 'control' && !isLong(m)))
    test(`${control.name} is caught`, async () => {
      // NoiseDown's worst events take some finding.
      const samples = control.name === 'noise-down-as-published' ? 300_000 : 100_000
      const found = await audit(control, { samples, seconds: 60, bits: bits() })
      expect(found.bound.epsilon).toBeGreaterThan(control.claim.epsilon)
      expect(found).toMatchObject({ verdict: 'violated', expected: true })
    })
})

describe('shipped mechanisms', () => {
  // Of whole synthetic tables one of each kind; the long tests take all.
  const isLong = ({ name }: { name: string }) => /^synth-(pairs-rho|mwem-(adaptive|start))$/.test(name)
  for (const mechanism of mechanisms.filter((m) => m.kind === 'shipped' && !isLong(m)))
    test(`${mechanism.name} keeps its claim`, async () => {
      const seeded = !/^(ask|meter|marginals|synth)-/.test(mechanism.name)
      // Each sample of the others is a whole question or release; the long tests take more of them.
      const samples = seeded ? 40_000 : 250
      const found = await audit(mechanism, { samples, seconds: seeded ? 60 : 3, bits: bits() })
      expect(found).toMatchObject({ verdict: 'kept', expected: true })
      // And the audit has looked: it proves a good part of what is claimed. (Without a seed that would fail now and then.)
      if (seeded) expect(found.bound.epsilon).toBeGreaterThan(0.25 * mechanism.claim.epsilon)
    })
})
