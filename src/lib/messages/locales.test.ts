import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedLanguages } from '../accept-language.ts'
import { directionOf, selectLocale } from './locales.ts'

test('the language is the one asked for, then the user’s setting, then Accept-Language, then the server’s default', () => {
  const all = { asked: 'ar', setting: 'es-MX', acceptLanguage: 'de', serverDefault: 'de' } as const
  assert.equal(selectLocale(all), 'ar')
  assert.equal(selectLocale({ ...all, asked: null }), 'es')
  assert.equal(selectLocale({ ...all, asked: null, setting: null }), 'de')
  assert.equal(selectLocale({ serverDefault: 'es' }), 'es')
  assert.equal(selectLocale({ serverDefault: 'en' }), 'en')
})

test('a language without a catalogue is passed over', () => {
  assert.equal(selectLocale({ asked: 'ja', setting: 'fr', acceptLanguage: 'fr,ar;q=0.5', serverDefault: 'de' }), 'ar')
  assert.equal(selectLocale({ setting: 'zh-CN', acceptLanguage: 'ja', serverDefault: 'de' }), 'de')
  assert.equal(selectLocale({ acceptLanguage: 'en-GB,de', serverDefault: 'ar' }), 'en')
})

test('ranges come by their weights, without those that are refused', () => {
  assert.deepEqual(acceptedLanguages('ja;q=0.2, de-AT, en;q=0, *;q=0.1, es;q=0.9'), ['de-AT', 'es', 'ja', '*'])
  assert.deepEqual(acceptedLanguages(undefined), [])
  assert.deepEqual(acceptedLanguages(' , ;q=1'), [])
  assert.deepEqual(acceptedLanguages(`de${' '.repeat(2_000)}`), [])
})

test('Arabic is written from right to left', () => {
  assert.deepEqual([directionOf('ar'), directionOf('de')], ['rtl', 'ltr'])
})
