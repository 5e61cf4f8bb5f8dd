import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { decodePage } from './decode-page.ts'

const read = (bytes: Buffer, contentType = 'text/html') => decodePage(bytes, { contentType })
const meta = (charset: string) => `<!doctype html><meta charset="${charset}"><title>`

suite('the text of a page', () => {
  test('is decoded with the encoding of the header', () => {
    const windows = Buffer.from([0xd0, 0xe5, 0xea, 0xe0])
    for (const type of [
      'text/html; charset=windows-1251',
      'text/html;CHARSET="windows-1251"',
      "text/html; a=b; charset = 'cp1251'",
    ])
      assert.equal(read(windows, type), 'Река')
    assert.equal(read(Buffer.from([0xc6, 0xfc, 0xcb, 0xdc]), 'text/html; charset=euc-jp'), '日本')
  })

  test('is decoded with the encoding of the page if the header has none', () => {
    const shiftJis = Buffer.concat([Buffer.from(meta('Shift_JIS')), Buffer.from([0x93, 0xfa, 0x96, 0x7b])])
    assert.equal(read(shiftJis), `${meta('Shift_JIS')}日本`)
    const old = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">'
    assert.equal(read(Buffer.concat([Buffer.from(old), Buffer.from([0xb1])])), `${old}ą`)
  })

  test('is decoded with the encoding of a byte order mark before both', () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Ünï', 'utf16le')])
    assert.equal(read(utf16, 'text/html; charset=utf-8'), 'Ünï')
    assert.equal(read(Buffer.from('\ufeffÜ'), 'text/html; charset=koi8-r'), 'Ü')
  })

  test('is UTF-8 without a known encoding if the bytes are valid, else windows-1252', () => {
    for (const type of [
      'text/html',
      'text/html; charset=nonsense',
      'text/html; charset=',
      'text/html; charset=../../x',
    ]) {
      assert.equal(read(Buffer.from('Grüße 🦜'), type), 'Grüße 🦜')
      assert.equal(read(Buffer.from('Grüße', 'latin1'), type), 'Grüße')
    }
    assert.equal(read(Buffer.from('Grüße').subarray(0, 3)), 'Gr\ufffd', 'truncated within a character')
    assert.equal(read(Buffer.concat([Buffer.from(meta('wrong')), Buffer.from([0xe9, 0x21])])), `${meta('wrong')}é!`)
  })

  test('is well-formed for any bytes and encoding names', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (bytes, name) => {
        assert.ok(read(Buffer.from(bytes), `text/html; charset=${name}`).isWellFormed())
      }),
    )
  })
})
