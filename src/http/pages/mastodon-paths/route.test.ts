import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { publishTerms } from '../../../domain/instance/terms-of-service.ts'

const testServer = await openTestServer()
after(testServer.close)

async function redirectOf(path: string): Promise<string> {
  const { status, headers } = await testServer.anonymous.get(path)
  return `${status} ${String(headers['location'])}`
}

const REDIRECTS = [
  ['/about/more', '/about'],
  ['/auth/confirmation/new', '/auth/setup'],
  ['/disputes/strikes', '/settings/strikes'],
  ['/disputes/strikes/12', '/settings/strikes/12'],
  ['/settings/profile', '/settings/client/profile'],
  ['/settings/privacy', '/settings/client/privacy'],
  ['/settings/preferences/appearance', '/settings/preferences'],
  ['/settings/preferences/other', '/settings/preferences'],
  ['/settings/preferences/notifications', '/settings/email-notifications'],
  ['/statuses_cleanup', '/settings/statuses-cleanup'],
] as const

test("paths of Mastodon's pages that apps open lead to the pages here", async () => {
  for (const [path, target] of REDIRECTS) {
    assert.equal(await redirectOf(path), `302 ${target}`)
    assert.notEqual((await testServer.anonymous.get(target)).status, 404, target)
  }
})

test('/terms leads to the terms of service, or to the privacy policy before terms are in effect', async () => {
  assert.equal(await redirectOf('/terms'), '302 /privacy-policy')
  await testServer.ctx.write((tx) => publishTerms(tx, { by: null, text: 'Be kind', effectiveDate: '2026-01-31' }))
  assert.equal(await redirectOf('/terms'), '302 /terms-of-service')
})
