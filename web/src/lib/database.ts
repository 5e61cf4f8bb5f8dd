/**
 * The browser's database of this client. Each store is a table of values by key. All of it may be deleted by the browser
 * at any time, so it holds only copies of data of the server, drafts, and the token.
 */
const NAME = 'linnet'
const VERSION = 2
export type StoreName = 'sessions' | 'drafts' | 'timelines' | 'settings' | 'queue'
const STORES: readonly StoreName[] = ['sessions', 'drafts', 'timelines', 'settings', 'queue']

let opened: Promise<IDBDatabase> | null = null

/** @throws if the browser forbids it, as some do in private windows, or has no space left */
function open(): Promise<IDBDatabase> {
  opened ??= connect().catch((error: unknown) => {
    // The next attempt may succeed.
    opened = null
    throw error
  })
  return opened
}

function connect(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION)
    request.addEventListener('upgradeneeded', () => {
      for (const store of STORES) {
        if (!request.result.objectStoreNames.contains(store)) request.result.createObjectStore(store)
      }
    })
    request.addEventListener('success', () => {
      // A window with a later version of the client waits until all connections of earlier ones are closed.
      request.result.addEventListener('versionchange', () => {
        request.result.close()
        opened = null
      })
      // The user has deleted the data of the site, or the browser has freed its memory in the background.
      request.result.addEventListener('close', () => (opened = null))
      resolve(request.result)
    })
    request.addEventListener('error', () => reject(request.error ?? new Error('The database could not be opened')))
  })
}

async function run<Result>(
  store: StoreName,
  mode: IDBTransactionMode,
  work: (objects: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode)
    const request = work(transaction.objectStore(store))
    // A window that is being closed does not live to see the automatic commit.
    if (mode === 'readwrite') transaction.commit()
    transaction.addEventListener('complete', () => resolve(request.result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The transaction was aborted')))
  })
}

/** Returns a stored value, or undefined. */
export async function readValue<Value>(store: StoreName, key: string): Promise<Value | undefined> {
  return run<Value | undefined>(store, 'readonly', (objects) => objects.get(key) as IDBRequest<Value | undefined>)
}

/** Returns all stored values with their keys, in the order of the keys. */
export async function listValues(store: StoreName): Promise<{ key: IDBValidKey; value: unknown }[]> {
  const [keys, values] = await Promise.all([
    run(store, 'readonly', (objects) => objects.getAllKeys()),
    run(store, 'readonly', (objects) => objects.getAll() as IDBRequest<unknown[]>),
  ])
  return values.map((value, index) => ({ key: keys[index]!, value }))
}

/** Stores a value, which must be structured-cloneable. Resolves when the browser has committed it. */
export async function writeValue(store: StoreName, key: string, value: unknown): Promise<void> {
  await run(store, 'readwrite', (objects) => objects.put(value, key))
}

/** Deletes all values whose keys begin with `prefix`. */
export async function deleteValues(store: StoreName, prefix: string): Promise<void> {
  await run(store, 'readwrite', (objects) => objects.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`)))
}

export async function deleteValue(store: StoreName, key: string): Promise<void> {
  await run(store, 'readwrite', (objects) => objects.delete(key))
}
