import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedLanguages } from '../accept-language.ts'
import { directionOf, selectLocale } from './locales.ts'

test('the language is the requested one, else the user’s setting, Accept-Language, the server’s default', () => {
  const all = { requested: 'ar', setting: 'es-MX', acceptLanguage: 'de', serverDefault: 'de' } as const
  assert.equal(selectLocale(all), 'ar')
  assert.equal(selectLocale({ ...all, requested: null }), 'es')
  assert.equal(selectLocale({ ...all, requested: null, setting: null }), 'de')
  assert.equal(selectLocale({ serverDefault: 'es' }), 'es')
  assert.equal(selectLocale({ serverDefault: 'en' }), 'en')
})

test('a language without a catalogue is skipped', () => {
  assert.equal(
    selectLocale({ requested: 'ja', setting: 'fr', acceptLanguage: 'fr,ar;q=0.5', serverDefault: 'de' }),
    'ar',
  )
  assert.equal(selectLocale({ setting: 'zh-CN', acceptLanguage: 'ja', serverDefault: 'de' }), 'de')
  assert.equal(selectLocale({ acceptLanguage: 'en-GB,de', serverDefault: 'ar' }), 'en')
})

test('ranges are ordered by their weights, without those of weight 0', () => {
  assert.deepEqual(acceptedLanguages('ja;q=0.2, de-AT, en;q=0, *;q=0.1, es;q=0.9'), ['de-AT', 'es', 'ja', '*'])
  assert.deepEqual(acceptedLanguages(undefined), [])
  assert.deepEqual(acceptedLanguages(' , ;q=1'), [])
  assert.deepEqual(acceptedLanguages(`de${' '.repeat(2_000)}`), [])
})

test('Arabic is written from right to left', () => {
  assert.deepEqual([directionOf('ar'), directionOf('de')], ['rtl', 'ltr'])
})
