import type { mastodon } from 'masto'
import { createRestClient } from './api/rest-client.ts'
import { authorize, LogInRequiredError, revoke } from './auth/authorize.ts'
import { deleteSession, findSession, listSessionAccounts, saveSession } from './auth/sessions.ts'
import type { Session } from './auth/sessions.ts'
import { deleteOfflineData } from './offline-data.ts'
import { startData } from './start-data.ts'
import { createStreamClient } from './stream-client.ts'
import type { StreamSubscriptions } from './stream-subscriptions.ts'

/** The account in whose name this window acts, with the clients that carry its token. */
interface CurrentSession extends Session {
  rest: mastodon.rest.Client
  streaming: StreamSubscriptions
}

/** The account that the user chose in this window, if it is not that of the browser session. */
const CHOSEN_ACCOUNT = 'linnet-account'

let current: CurrentSession | null = null
const renewalListeners = new Set<() => void>()

/**
 * Opens the session of this window: that of the chosen account, else that of the browser session, for which it gets a
 * token if none is stored.
 * @throws LogInRequiredError
 */
export async function openSession(): Promise<void> {
  takeAccountOfUrl()
  const chosen = sessionStorage.getItem(CHOSEN_ACCOUNT)
  const stored = (chosen === null ? null : await findSession(chosen)) ?? (await findSession(startData.accountId))
  openWith(stored ?? { accountId: startData.accountId, token: await authorize() }, { isNew: !stored })
}

/**
 * Replaces the token of the current account, which the server has revoked.
 * @throws LogInRequiredError if the browser is logged in with another account, or not at all
 */
export async function renewSession(): Promise<void> {
  const { accountId } = currentSession()
  try {
    const token = await authorize()
    const { id } = await createRestClient(token).v1.accounts.verifyCredentials()
    if (id !== accountId) {
      await revoke(token)
      throw new LogInRequiredError('The browser is logged in with another account')
    }
    openWith({ accountId, token }, { isNew: true })
  } catch (error) {
    // After the log-in, the client starts with a new token.
    if (error instanceof LogInRequiredError) await deleteSession(accountId)
    throw error
  }
}

/** Returns the REST client of the current account. */
export function api(): mastodon.rest.Client {
  return currentSession().rest
}

/** Returns the streams of the current account. */
export function streaming(): StreamSubscriptions {
  return currentSession().streaming
}

/** Calls `listener` after the token was replaced. Returns a function that ends it. */
export function onRenewal(listener: () => void): () => void {
  renewalListeners.add(listener)
  return () => renewalListeners.delete(listener)
}

/** Returns the access token of the current account, for requests that the REST client cannot send. */
export function accessToken(): string {
  return currentSession().token
}

/** Returns the id of the current account. */
export function currentAccountId(): string {
  return currentSession().accountId
}

/** Returns the ids of the accounts between which the user can switch. */
export async function listAccounts(): Promise<string[]> {
  return listSessionAccounts()
}

/** Uses another account in this window, which starts again with it. */
export function switchAccount(accountId: string, path = '/home'): void {
  sessionStorage.setItem(CHOSEN_ACCOUNT, accountId)
  location.assign(path)
}

/** Chooses the account that the service worker names when it opens a window for a notification. */
function takeAccountOfUrl(): void {
  const accountId = /^#account=(\d+)$/.exec(location.hash)?.[1]
  if (accountId === undefined) return
  sessionStorage.setItem(CHOSEN_ACCOUNT, accountId)
  history.replaceState(history.state, '', location.pathname + location.search)
}

/**
 * Revokes and removes the token of the current account.
 * @throws TypeError if the server could not be reached; then the session goes on
 */
export async function closeSession(): Promise<void> {
  const { accountId, token, streaming } = currentSession()
  // Otherwise the client would get a new token when the server closes the stream of the revoked one.
  streaming.close()
  try {
    await revoke(token)
  } catch (error) {
    openWith({ accountId, token }, { isNew: false })
    throw error
  }
  await deleteSession(accountId)
  await deleteOfflineData(accountId)
  sessionStorage.removeItem(CHOSEN_ACCOUNT)
}

function currentSession(): CurrentSession {
  if (!current) throw new Error('No session is open')
  return current
}

function openWith(session: Session, { isNew }: { isNew: boolean }): void {
  const previous = current
  const { token } = session
  current = { ...session, rest: createRestClient(token), streaming: createStreamClient(token) }
  // Requests need not wait for it. If it fails, the next window gets a token of its own.
  if (isNew) void saveSession(session).catch(() => undefined)
  if (!previous) return
  // First, so that they end their subscriptions while the connection is open.
  for (const listener of renewalListeners) listener()
  previous.streaming.close()
}
