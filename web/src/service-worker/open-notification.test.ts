import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLIENT_PAGES } from '../../../src/http/web-client/client-paths.ts'
import { openNotification } from './open-notification.ts'

const data = {
  path: '/@bo/7',
  accountId: '1' as string | null,
  token: 'token',
  requests: { favourite: '/api/v1/statuses/7/favourite' },
}

/** A window: its path, and the account with which it shows the client. Without one, it does not answer. */
interface Window {
  path: string
  account?: string
}

/** Presses a notification, or one of its buttons. Returns what happens to the windows of the origin. */
async function press(
  action: string,
  { windows = [] as Window[], accountId = data.accountId } = {},
): Promise<unknown[]> {
  const events: unknown[] = []
  const opened = windows.map(({ path, account }) => ({
    url: `https://linnet.test${path}`,
    focus: async () => events.push(`focus ${path}`),
    postMessage(message: { type: string; accountId: string | null }, [port]: MessagePort[]) {
      if (message.type !== 'ask') events.push(message)
      else if (account === undefined) port!.close()
      else port!.postMessage(message.accountId === null || message.accountId === account, [])
    },
  }))
  const clients = {
    matchAll: async () => opened,
    openWindow: async (path: string) => events.push(['open', path]),
  }
  const event = { action, notification: { data: { ...data, accountId } } }
  await openNotification(clients as unknown as Clients, event as unknown as NotificationEvent, (pathname) =>
    CLIENT_PAGES.test(pathname),
  )
  return events
}

const message = { type: 'open', path: '/@bo/7', accountId: '1' }

test('a pressed notification opens its page in a window of the client, else in a new one', async () => {
  assert.deepEqual(await press(''), [['open', '/@bo/7#account=1']])
  assert.deepEqual(await press('', { accountId: null }), [['open', '/@bo/7']])
  const windows = [
    { path: '/home', account: '1' },
    { path: '/explore', account: '1' },
  ]
  assert.deepEqual(await press('', { windows }), ['focus /home', message])
})

test('a notification does not open in pages of the server, nor in windows of other accounts', async () => {
  const windows: Window[] = [
    { path: '/auth/edit' },
    { path: '/settings/sessions' },
    { path: '/about' },
    { path: '/home', account: '2' },
  ]
  assert.deepEqual(await press('', { windows }), [['open', '/@bo/7#account=1']])
  windows.push({ path: '/settings/client/reading', account: '1' })
  assert.deepEqual(await press('', { windows }), ['focus /settings/client/reading', message])
})

test('a window of the client that does not answer, because the browser has frozen it, gets the focus', async () => {
  const windows: Window[] = [{ path: '/auth/edit' }, { path: '/settings/client/reading' }]
  assert.deepEqual(await press('', { windows }), ['focus /settings/client/reading', message])
})

test('a button of a notification sends its request without a window, which opens only if the request fails', async (t) => {
  const requests: unknown[] = []
  let ok = true
  t.mock.method(globalThis, 'fetch', async (path: string, { method, headers }: RequestInit) => {
    requests.push([method, path, headers])
    return { ok }
  })
  assert.deepEqual(await press('favourite', { windows: [{ path: '/home', account: '1' }] }), [])
  assert.deepEqual(requests, [['POST', '/api/v1/statuses/7/favourite', { authorization: 'Bearer token' }]])
  ok = false
  assert.deepEqual(await press('favourite'), [['open', '/@bo/7#account=1']])
})
