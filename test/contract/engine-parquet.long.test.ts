import { engineContract } from './engine.ts'
import { through } from './engine-files.ts'
import { writeParquet } from './engine-table.ts'

engineContract('duckdb over parquet', through('parquet', writeParquet))
