import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { createBrowser, uniqueAddressHeaders } from './browser.ts'
import type { Browser } from './browser.ts'
import { PASSWORD } from '../servers/create-user-with-password.ts'

/** Returns a browser in which a user has logged in with the password, from a unique address. */
export async function signIn(
  server: FastifyInstance,
  { login, password = PASSWORD }: { login: string; password?: string },
): Promise<Browser> {
  const browser = createBrowser(server)
  const page = await browser.get('/auth/sign_in')
  const answer = await browser.submit(page, '/auth/sign_in', { login, password }, uniqueAddressHeaders())
  assert.equal(answer.status, 303, answer.text)
  return browser
}
