import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { findMailTo } from '../../../../test/features/mails.ts'
import { createUserWithPassword } from '../../../../test/servers/create-user-with-password.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { message } from '../../../lib/messages/message.ts'

const testServer = await openTestServer({ env: { DEFAULT_LOCALE: 'es' } })
after(testServer.close)
const { ctx, server } = testServer

const assertLanguage = (html: string, { locale, title }: { locale: Locale; title: string }) => {
  assert.match(html, new RegExp(`<html +lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`))
  assert.ok(html.includes(`<title>${title} · `), title)
}

test('a visitor gets pages in the language of the URL, else of the browser, else of the server', async () => {
  for (const [query, acceptLanguage, locale] of [
    ['', 'de-AT,en;q=0.5', 'de'],
    ['', 'fr,ar;q=0.5', 'ar'],
    ['', 'en', 'en'],
    ['', 'ja', 'es'],
    ['', '', 'es'],
    ['?lang=ar', 'de', 'ar'],
    ['?lang=ja', 'de', 'de'],
    ['?lang=%22%3E%3Cscript%3E', 'de', 'de'],
  ] as const) {
    const { html } = await createBrowser(server).get(`/auth/sign_in${query}`, { 'accept-language': acceptLanguage })
    assertLanguage(html, { locale, title: message(locale, 'sign-in.title') })
  }
})

test('error pages are in the language of the visitor, too', async () => {
  const { html } = await createBrowser(server).get('/nowhere', { 'accept-language': 'ar', accept: 'text/html' })
  assertLanguage(html, { locale: 'ar', title: message('ar', 'error.404.title') })
})

test('a user gets pages and mails in the language of their setting, which they can change', async () => {
  const { userId, email } = await createUserWithPassword(ctx, 'ada')
  await ctx.db.updateTable('users').set({ locale: 'ar' }).where('id', '=', userId).execute()
  const browser = await signIn(server, { login: 'ada' })
  const visit = await browser.get('/auth/edit', { 'accept-language': 'de' })
  assertLanguage(visit.html, { locale: 'ar', title: message('ar', 'settings.title') })
  const change = async (locale: string) =>
    browser.submit(await browser.get('/auth/edit'), '/settings/language', { locale }, uniqueAddressHeaders())
  assert.equal((await change('de')).status, 303)
  assertLanguage((await browser.get('/auth/edit')).html, { locale: 'de', title: 'Kontoeinstellungen' })
  await change('tlh')
  assertLanguage((await browser.get('/auth/edit')).html, { locale: 'de', title: 'Kontoeinstellungen' })
  await testServer.ctx.write(async (tx) => tx.emit('account.password_reset_requested', { email, at: Date.now() }))
  assert.equal((await findMailTo(testServer, email))!.subject, 'Setze dein Passwort für linnet.test zurück')
})

test('a mail in Arabic is written from right to left, also as HTML', async () => {
  const { userId, email } = await createUserWithPassword(ctx, 'bo')
  await ctx.db.updateTable('users').set({ locale: 'ar-EG' }).where('id', '=', userId).execute()
  await testServer.ctx.write(async (tx) => tx.emit('account.password_reset_requested', { email, at: Date.now() }))
  await testServer.waitForJobs()
  const { html, text } = await ctx.db
    .selectFrom('mails')
    .select(['html', 'text'])
    .where('recipient', '=', email)
    .executeTakeFirstOrThrow()
  assert.match(html, /<html lang="ar" dir="rtl">/)
  assert.match(html, /class="paper"\s+lang="ar"\s+dir="rtl"/)
  assert.match(text, /\u2068@bo\u2069/)
})
