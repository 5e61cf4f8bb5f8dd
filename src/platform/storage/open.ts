import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createDiskStorage } from './disk.ts'
import { createS3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

/** Where the settings say that files lie. */
export function openStorage(config: Config): Storage {
  return config.s3 ? createS3Storage(config.s3) : createDiskStorage({ root: join(config.dataDir, 'media') })
}
