import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openNotification } from './open-notification.ts'

const NOTIFICATION = {
  data: { path: '/@bo/7', token: 'token', requests: { favourite: '/api/v1/statuses/7/favourite' } },
}

/** Presses a notification, or one of its buttons. Returns what happens to the windows of the client. */
async function press(action: string, { windows = 0 } = {}): Promise<unknown[]> {
  const events: unknown[] = []
  const opened = {
    focus: async () => events.push('focus'),
    postMessage: (message: unknown) => events.push(message),
  }
  const clients = {
    matchAll: async () => Array.from({ length: windows }, () => opened),
    openWindow: async (path: string) => events.push(['open', path]),
  }
  const event = { action, notification: NOTIFICATION }
  await openNotification(clients as unknown as Clients, event as unknown as NotificationEvent)
  return events
}

test('a pressed notification opens its page in an open window, else in a new one', async () => {
  assert.deepEqual(await press(''), [['open', '/@bo/7']])
  assert.deepEqual(await press('', { windows: 2 }), ['focus', { type: 'open', path: '/@bo/7' }])
})

test('a button of a notification sends its request without a window, which opens only if the request fails', async (t) => {
  const requests: unknown[] = []
  let ok = true
  t.mock.method(globalThis, 'fetch', async (path: string, { method, headers }: RequestInit) => {
    requests.push([method, path, headers])
    return { ok }
  })
  assert.deepEqual(await press('favourite', { windows: 1 }), [])
  assert.deepEqual(requests, [['POST', '/api/v1/statuses/7/favourite', { authorization: 'Bearer token' }]])
  ok = false
  assert.deepEqual(await press('favourite'), [['open', '/@bo/7']])
})
