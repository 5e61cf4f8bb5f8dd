// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { disable, suspend } from '../../../../test/features/moderation.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { createUserWithPassword } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx, server } = testServer

for (const [restrict, heading] of [
  [disable, /Your account is frozen/],
  [suspend, /Your account is suspended/],
] as const) {
  test(`a user who may not use the account logs in, and sees only that and the strikes: ${restrict.name}`, async () => {
    const login = `mallory_${restrict.name}`
    const user = await createUserWithPassword(ctx, login)
    const early = await signIn(server, { login })
    await restrict(ctx, user)
    for (const browser of [early, await signIn(server, { login })]) {
      const page = await browser.get('/account')
      assert.match(page.text, heading)
      assert.match(page.html, /href="\/settings\/strikes"/)
      const others = ['/auth/edit', '/settings/email', '/settings/migration', '/settings/delete', '/share']
      for (const path of others) assert.equal((await browser.get(path)).location, '/account', path)
    }
  })
}
