import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { createBrowser, fromSomewhere } from './browser.ts'
import type { Browser } from './browser.ts'
import { PASSWORD } from './passwords.ts'

/** A browser in which somebody has logged in by their password, from an address of their own. */
export async function signIn(
  server: FastifyInstance,
  { login, password = PASSWORD }: { login: string; password?: string },
): Promise<Browser> {
  const browser = createBrowser(server)
  const page = await browser.get('/auth/sign_in')
  const answer = await browser.submit(page, '/auth/sign_in', { login, password }, fromSomewhere())
  assert.equal(answer.status, 303, answer.text)
  return browser
}
