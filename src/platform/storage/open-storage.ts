import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { createDiskStorage } from './disk-storage.ts'
import { createS3Storage } from './s3-storage.ts'
import type { Storage } from './storage.ts'

/** Returns the storage of the settings: a bucket or the data folder. */
export function openStorage(config: Config): Storage {
  return config.s3 ? createS3Storage(config.s3) : createDiskStorage({ root: join(config.dataDir, 'media') })
}
