import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  BadRequestError,
  NotFoundError,
  ParameterMissingError,
  UnprocessableError,
  ValidationError,
} from '../errors.ts'
import { ARABIC } from './arabic.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { SPANISH } from './spanish.ts'
import { translateError } from './translate-error.ts'
import { CODE_POINT } from '../../../test/text/code-points.ts'

const inLanguage = (acceptLanguage: string | undefined, error = new NotFoundError()) =>
  translateError(error, { acceptLanguage })['error']

test('the language is the preferred one that has a catalogue', () => {
  const english = 'Record not found'
  const german = GERMAN.messages[english]
  for (const [header, expected] of [
    [undefined, english],
    ['', english],
    ['en', english],
    ['en-GB,de;q=0.9', english],
    ['*', english],
    ['ja', english],
    ['de', german],
    ['DE-at', german],
    ['ja, de;q=0.5, en;q=0.4', german],
    ['en;q=0.3, fr;q=0.2, de;q=0.8', german],
    ['de;q=0, fr', FRENCH.messages[english]],
    ['es-MX,es;q=0.9', SPANISH.messages[english]],
    ['ar-EG,en;q=0.5', ARABIC.messages[english]],
    [`de${' '.repeat(2_000)}`, english],
  ] as const) {
    assert.equal(inLanguage(header), expected, String(header))
  }
})

test('numbers and names are kept, and a text without a translation remains English', () => {
  assert.equal(
    inLanguage('de', new UnprocessableError('Cannot attach more than 4 files')),
    'Es können höchstens 4 Dateien angehängt werden',
  )
  assert.equal(
    inLanguage('es', new ParameterMissingError('id')),
    SPANISH.messages['param is missing or the value is empty or invalid: {0}'].replace('{0}', 'id'),
  )
  assert.equal(inLanguage('de', new BadRequestError('Something new')), 'Something new')
})

test('each validation error is translated, including its details', () => {
  const fields = [
    { attribute: 'username', code: 'ERR_BLANK', text: "can't be blank" },
    { attribute: 'password', code: 'ERR_TOO_SHORT', text: 'is too short (minimum is 8 characters)' },
  ]
  assert.deepEqual(translateError(new ValidationError(fields, { details: true }), { acceptLanguage: 'fr' }), {
    error:
      'Échec de la validation : Le nom d’utilisateur ne peut pas être vide, Le mot de passe est trop court (8 caractères au minimum)',
    details: {
      username: [{ error: 'ERR_BLANK', description: 'Le nom d’utilisateur ne peut pas être vide' }],
      password: [{ error: 'ERR_TOO_SHORT', description: 'Le mot de passe est trop court (8 caractères au minimum)' }],
    },
  })
  assert.equal(
    inLanguage('ar', new ValidationError(fields)),
    'تعذّر التحقق من المدخلات: اسم المستخدم: لا يمكن ترك هذا الحقل فارغًا, كلمة السر: النص قصير جدًا (عدد الأحرف الأدنى: 8)',
  )
  const odd = new ValidationError([...fields, { attribute: 'other', code: 'ERR_ODD', text: 'is odd' }])
  assert.equal(inLanguage('fr', odd), odd.message)
})

test('the details of an invalid image are translated like its error', () => {
  const text = 'HEIC pictures are not supported: send them as JPEG'
  const details = { avatar: [{ error: 'ERR_INVALID', description: text }] }
  const german = GERMAN.messages[text]
  assert.deepEqual(translateError(new UnprocessableError(text, { details }), { acceptLanguage: 'de' }), {
    error: german,
    details: { avatar: [{ error: 'ERR_INVALID', description: german }] },
  })
})

test('each translated text is one that the server sends', () => {
  const source = globSync('src/**/*.ts', { cwd: new URL('../../..', import.meta.url).pathname })
    .filter((path) => !path.includes('error-texts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(path, 'utf8').replaceAll("\\'", "'"))
    .join('\n')
  const { messages, problems } = GERMAN
  for (const text of [...Object.keys(messages), ...Object.keys(problems)]) {
    const part = text.replace(/^Validation failed: (File )?/, '').split('{0}')[0]!
    assert.ok(source.includes(part), text)
  }
})

test('any header and any text have a result', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: CODE_POINT }), (acceptLanguage, message) => {
      assert.equal(typeof inLanguage(acceptLanguage, new BadRequestError(message)), 'string')
    }),
  )
})
