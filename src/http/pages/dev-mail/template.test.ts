import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailListPage, mailPage } from './template.ts'
import type { Frame } from '../layout/layout.ts'

const frame: Frame = {
  locale: 'en',
  siteTitle: 'Meadow',
  domain: 'meadow.example',
  version: '1',
  csrf: 'token',
  registrations: 'open',
}
const mail = { id: 'a/b', to: 'ada@a.example', from: 'm@meadow.example', subject: '', at: new Date(0), text: '' }
const renderMail = (text: string) => mailPage(frame, { mail: { ...mail, text }, origin: 'https://meadow.example' })
const links = (page: string) => [...page.matchAll(/href="(https?:[^"]*)"/g)].map(([, address]) => address)

test('only URLs of this server become links, and the first is a button', () => {
  const own = 'https://meadow.example/auth/confirmation?confirmation_token=a&b=1'
  const page = renderMail(
    `Hello,\n${own}.\nhttps://meadow.example.evil.example/ http://meadow.example/ https://evil.example/`,
  )
  assert.deepEqual(links(page), Array(2).fill(own.replace('&', '&amp;')))
  assert.match(page, /<a class="button" href="https:\/\/meadow\.example\/auth/)
})

test('a URL with this server as its user name is no URL of this server', () => {
  assert.deepEqual(links(renderMail('https://meadow.example@evil.example/')), [])
})

test('a mail without a link has no button, and its text keeps its line breaks', () => {
  const page = renderMail('one\n  two <three>')
  assert.doesNotMatch(page, /class="button"/)
  assert.match(page, />one\n  two &lt;three&gt;<\/div>/)
})

test('the list shows every mail, including one without a subject', () => {
  const page = mailListPage(frame, { mails: [mail], now: new Date(5_000) })
  assert.match(page, /href="\/dev\/mail\/a%2Fb"/)
  assert.match(page, /\(no subject\)/)
  assert.match(mailListPage(frame, { mails: [], now: new Date(0) }), /There are no e-mails yet/)
})
