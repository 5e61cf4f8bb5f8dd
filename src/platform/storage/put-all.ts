import type { Storage } from './storage.ts'

/** Stores all files, or none of them if one fails. @throws StorageFullError */
export async function putAll(storage: Storage, files: readonly Parameters<Storage['put']>[0][]): Promise<void> {
  const keys: string[] = []
  try {
    for (const file of files) {
      await storage.put(file)
      keys.push(file.key)
    }
  } catch (err) {
    await storage.remove({ keys }).catch(() => {})
    throw err
  }
}
