import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isLanguageCode, listLanguages, normalizeLanguage } from './language.ts'

const ISO_639_1 =
  `aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz
ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka
kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no
nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sn so sq sr ss st su sv sw ta te tg th ti
tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`.split(/\s+/)
const ISO_639_3 = 'ast chr ckb cnr csb gsw jbo kab ldn lfn moh nds pdc sco sma smj szl tok vai xal yue zba zgh'.split(
  ' ',
)
const VARIANTS = 'zh-CN zh-HK zh-TW zh-YUE pt-BR pt-PT en-GB es-AR es-MX fr-CA sr-Latn'.split(' ')

test('all codes that Mastodon’s clients offer are accepted unchanged', () => {
  for (const code of [...ISO_639_1, ...ISO_639_3, ...VARIANTS]) {
    assert.equal(normalizeLanguage(code), code)
    assert.ok(isLanguageCode(code))
  }
})

test('other notations are converted to the stored one', () => {
  const cases = { EN: 'en', eng: 'en', deu: 'de', 'en-US': 'en', de_AT: 'de', 'ZH-cn': 'zh-CN', pt_br: 'pt-BR' }
  for (const [typed, code] of Object.entries(cases)) {
    assert.equal(normalizeLanguage(typed), code)
    assert.equal(isLanguageCode(typed), false)
  }
})

test('scripts of Chinese become the variant that is written in them', () => {
  const cases = {
    'zh-Hant': 'zh-TW',
    'zh-Hans': 'zh-CN',
    zh_hant_HK: 'zh-HK',
    'zh-Hant-MO': 'zh-HK',
    'zh-MO': 'zh-HK',
    'zh-Hant-TW': 'zh-TW',
    'zh-Hans-HK': 'zh-CN',
    'zh-SG': 'zh',
    'nan-Hant-TW': 'nan-TW',
    'sr-Latn-RS': 'sr-Latn',
    'en-Latn-GB': 'en-GB',
  }
  for (const [typed, code] of Object.entries(cases)) assert.equal(normalizeLanguage(typed), code, typed)
})

test('invalid languages return null without an error', () => {
  for (const code of [
    '',
    'e',
    'xx',
    'qq',
    'und',
    'mul',
    'zxx',
    'english',
    'en-',
    'en\n',
    ' en',
    '-',
    'root',
    'x-klingon',
  ]) {
    assert.equal(normalizeLanguage(code), null, code)
  }
  for (const code of [null, undefined, 1, {}, ['en']]) assert.equal(normalizeLanguage(code), null)
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.stringMatching(/^[a-zA-Z]{2,3}([-_][a-zA-Z0-9]{1,8}){0,3}$/)), (code) => {
      const normal = normalizeLanguage(code)
      assert.ok(normal === null || isLanguageCode(normal))
    }),
  )
})

test('the selectable languages have unique names and the codes under which statuses are stored', () => {
  const languages = listLanguages()
  for (const { code, name } of languages) {
    assert.equal(normalizeLanguage(code), code)
    assert.notEqual(name, code)
  }
  assert.equal(new Set(languages.map(({ name }) => name)).size, languages.length)
  assert.ok(languages.length > 200)
  for (const expected of ['de', 'en', 'pt-BR', 'zh-TW', 'tok', 'kab', 'nb', 'nn']) {
    assert.ok(
      languages.some(({ code }) => code === expected),
      expected,
    )
  }
  for (const former of ['iw', 'in', 'sh', 'und']) assert.ok(!languages.some(({ code }) => code === former), former)
})
