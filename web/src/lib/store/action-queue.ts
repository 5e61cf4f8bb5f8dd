import { useSyncExternalStore } from 'react'
import { deleteValue, listValues, writeValue } from '../database.ts'
import { accountKey } from '../offline-data.ts'
import { currentAccountId } from '../session.ts'

/** What belongs to the actions that can wait for a network, by their types. */
interface Details {
  favourite: { on: boolean }
  reblog: { on: boolean }
  bookmark: { on: boolean }
  follow: { on: boolean; locked: boolean }
  post: object
}
type ActionType = keyof Details

/** `id`: that of the status, of the account or of the draft. */
type NewActionOf<Type extends ActionType> = { type: Type; id: string } & Details[Type]
type NewAction = { [Type in ActionType]: NewActionOf<Type> }[ActionType]
type QueuedActionOf<Type extends ActionType> = NewActionOf<Type> & { queuedAt: number }

/** What the user did without a network. A later action of the same type for the same id replaces an earlier one. */
export type QueuedAction = { [Type in ActionType]: QueuedActionOf<Type> }[ActionType]

/** The actions of the current account, which all windows of the browser share. */
let actions: ReadonlyMap<string, QueuedAction> = new Map()
const listeners = new Set<() => void>()
let whenEnqueued = (): void => undefined
const channel = new BroadcastChannel('linnet-queue')
channel.addEventListener('message', () => void loadQueue().catch(() => undefined))

/** Returns whether the device has no network, so that an action has to wait. */
export const isOffline = (): boolean => !navigator.onLine

/** Returns the queued action of a type for a status, an account or a draft, or undefined. */
export function findQueued<Type extends ActionType>(type: Type, id: string): QueuedActionOf<Type> | undefined {
  return actions.get(keyOf({ type, id })) as QueuedActionOf<Type> | undefined
}

/** Returns the same as `findQueued`, and renders again when it changes. */
export function useQueued<Type extends ActionType>(type: Type, id: string): QueuedActionOf<Type> | undefined {
  return useSyncExternalStore(subscribe, () => findQueued(type, id))
}

/** Returns the number of actions that wait. */
export function useQueueLength(): number {
  return useSyncExternalStore(subscribe, () => actions.size)
}

/** Stores an action until there is a network. It shows at once. @throws if the browser cannot store it */
export async function enqueue(action: NewAction): Promise<void> {
  const queued: QueuedAction = { ...action, queuedAt: Date.now() }
  await writeValue('queue', storedKeyOf(queued), queued)
  set(new Map(actions).set(keyOf(queued), queued))
  informWindows()
  whenEnqueued()
}

/** Calls `listener` after each new action. */
export function onEnqueue(listener: () => void): void {
  whenEnqueued = listener
}

/** Removes an action that was sent, refused or withdrawn, unless a later one has replaced it. */
export async function dequeue(action: QueuedAction): Promise<void> {
  const { queuedAt } = actions.get(keyOf(action)) ?? {}
  if (queuedAt !== action.queuedAt) return
  await deleteValue('queue', storedKeyOf(action))
  set(new Map([...actions].filter(([key]) => key !== keyOf(action))))
  informWindows()
}

/** Reads the actions of the current account from the browser's database. Returns them, the oldest first. */
export async function loadQueue(): Promise<QueuedAction[]> {
  const prefix = accountKey(currentAccountId(), '')
  const stored = (await listValues('queue'))
    .filter(({ key }) => typeof key === 'string' && key.startsWith(prefix))
    .map(({ value }) => value as QueuedAction)
    .toSorted((a, b) => a.queuedAt - b.queuedAt)
  set(new Map(stored.map((action) => [keyOf(action), action])))
  return stored
}

/** Runs work while no window sends queued actions. */
export async function withQueueLock<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request(`linnet-queue-${currentAccountId()}`, work) as Promise<Result>
}

const keyOf = ({ type, id }: { type: ActionType; id: string }) => `${type}:${id}`
const storedKeyOf = (action: QueuedAction) => accountKey(currentAccountId(), keyOf(action))

/** Makes the other windows of the browser read the queue. */
function informWindows(): void {
  // A channel has only this origin, unlike a window.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: typeof actions): void {
  actions = next
  for (const listener of listeners) listener()
}
