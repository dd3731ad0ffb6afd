import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a minute or more, the longest first. */
const longest = [
  'test/statistical/audit-all.long.test.ts',
  'test/trino/trino.long.test.ts',
  'src/inference/belief/group-agreement.long.test.ts',
  'test/statistical/quantiles.long.test.ts',
  'src/inference/blue/chosen-coverage.long.test.ts',
  'test/system/experiment.long.test.ts',
]

/**
 * Begins with the files that take longest. A clean checkout knows no times, and vitest would begin with the files of most bytes: what is
 * said in ten lines and takes eight minutes would come last, and one core would wait for it.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((name) => moduleId.endsWith(`/${name}`))
      return found < 0 ? longest.length : found
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
