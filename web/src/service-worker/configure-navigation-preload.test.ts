import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configureNavigationPreload } from './configure-navigation-preload.ts'

test('Firefox loads documents by the service worker only, so that the client opens without a network', async () => {
  const calls: string[] = []
  const navigationPreload = {
    enable: async () => void calls.push('enable'),
    disable: async () => void calls.push('disable'),
  }
  await configureNavigationPreload({ navigationPreload }, { userAgent: 'Firefox' })
  await configureNavigationPreload({ navigationPreload }, { userAgent: 'Chrome', userAgentData: {} })
  assert.deepEqual(calls, ['disable', 'enable'])
  await configureNavigationPreload({}, {})
})
