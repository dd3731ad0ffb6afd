import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PostgresDatabase, startPostgres, withoutPostgres } from './postgres.ts'

describe.skipIf(await withoutPostgres('a PostgreSQL for the tests'))('a PostgreSQL for the tests', () => {
  let databases: PostgresDatabase[]
  beforeAll(async () => {
    databases = [await startPostgres(), await startPostgres()]
  })
  afterAll(async () => {
    for (const database of databases) await database.stop()
  })

  test('each file has a database of its own in one server', async () => {
    const [one, other] = databases
    await one!.run('CREATE TABLE people (age integer)')
    await expect(other!.run('SELECT * FROM people')).rejects.toThrow('does not exist')
    expect(new URL(one!.url).host).toBe(new URL(other!.url).host)
  })
})
