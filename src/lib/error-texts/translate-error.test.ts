import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { acceptedLanguages } from '../accept-language.ts'
import {
  BadRequestError,
  NotFoundError,
  ParameterMissingError,
  UnprocessableError,
  ValidationError,
} from '../errors.ts'
import type { RequestError } from '../errors.ts'
import { ARABIC } from './arabic.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { SPANISH } from './spanish.ts'
import { translateError } from './translate-error.ts'
import { collectErrorTexts } from '../../../test/error-texts/collect-error-texts.ts'
import { CODE_POINT } from '../../../test/text/code-points.ts'

const REPOSITORY = new URL('../../..', import.meta.url).pathname

const inLanguage = (acceptLanguage: string | undefined, error = new NotFoundError()) =>
  translateError(error, { languages: acceptedLanguages(acceptLanguage) })['error']

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
  assert.deepEqual(translateError(new ValidationError(fields, { details: true }), { languages: ['fr'] }), {
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

test('a field without a translated name is quoted, and a problem of the whole request has no name', () => {
  const choice = { attribute: 'policy', code: 'ERR_INCLUSION', text: 'is not included in the list' }
  assert.equal(
    inLanguage('de', new ValidationError([choice])),
    'Überprüfung fehlgeschlagen: Das Feld „policy“ ist kein zulässiger Wert',
  )
  const limit = { attribute: 'base', code: 'ERR_INVALID', text: 'You have exceeded the limit of 300 scheduled posts' }
  assert.equal(
    inLanguage('de', new ValidationError([limit])),
    'Überprüfung fehlgeschlagen: Du kannst höchstens 300 Beiträge planen',
  )
})

test('a text can have several variable parts', () => {
  const number = { attribute: 'min_age', code: 'ERR_INCLUSION', text: 'is not a number from 0 to 120' }
  assert.equal(
    inLanguage('es', new ValidationError([number])),
    'La validación ha fallado: La edad mínima debe ser un número de 0 a 120',
  )
})

test('the details of an invalid image are translated like its error', () => {
  const text = 'HEIC pictures are not supported: send them as JPEG'
  const details = { avatar: [{ error: 'ERR_INVALID', description: text }] }
  const german = GERMAN.messages[text]
  assert.deepEqual(translateError(new UnprocessableError(text, { details }), { languages: ['de'] }), {
    error: german,
    details: { avatar: [{ error: 'ERR_INVALID', description: german }] },
  })
  const size = 'File size must be less than 8 MB'
  const large = { avatar: [{ error: 'ERR_INVALID', description: size }] }
  const error = new UnprocessableError(`Validation failed: ${size}`, { details: large })
  assert.deepEqual(translateError(error, { languages: ['de'] }), {
    error: 'Überprüfung fehlgeschlagen: Die Datei muss kleiner als 8 MB sein',
    details: { avatar: [{ error: 'ERR_INVALID', description: 'Die Datei muss kleiner als 8 MB sein' }] },
  })
})

test('each translated text is one that the server sends', () => {
  const source = globSync('src/**/*.ts', { cwd: REPOSITORY })
    .filter((path) => !path.includes('error-texts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(path, 'utf8').replaceAll("\\'", "'"))
    .join('\n')
  const { messages, problems } = GERMAN
  for (const text of [...Object.keys(messages), ...Object.keys(problems)]) {
    const part = text.replace(/^Validation failed: (File )?/, '').split('{0}')[0]!
    assert.ok(source.includes(part), text)
  }
})

/** Texts that only commands and pages show, whose code shares files with that of the API. */
const OUTSIDE_OF_API = [
  'No local account is named {0}',
  'There is no domain block of {0}',
  'There is no emoji :{0}:',
  'There is no {0} {1}',
  '{0} is not allowed',
  'You can request an archive once a week',
]

test('each text and each name of a field that the API sends is translated', () => {
  const { messages, problems, attributes } = collectErrorTexts(REPOSITORY, {
    // The decoder of images is a process of its own, whose errors the API passes on.
    patterns: ['src/http/{api,support}/**/*.ts', 'src/platform/media/decoder/main.ts'],
  })
  assert.ok(messages.length > 100 && problems.length > 60 && attributes.length > 60)
  const fill = (text: string): string => text.replaceAll(/\{\d\}/g, '7')
  const problemOf = (text: string) => new ValidationError([{ attribute: 'base', code: 'ERR_INVALID', text }])
  for (const language of ['ar', 'de', 'es', 'fr']) {
    const isEnglish = (error: RequestError): boolean => inLanguage(language, error) === error.message
    assert.deepEqual(
      messages.filter((text) => isEnglish(new UnprocessableError(fill(text)))).toSorted(),
      OUTSIDE_OF_API.toSorted(),
      language,
    )
    assert.deepEqual(
      problems.filter((text) => isEnglish(problemOf(fill(text)))),
      [],
      language,
    )
  }
  assert.deepEqual(
    attributes.filter((name) => !Object.hasOwn(GERMAN.attributes, name)),
    [],
  )
})

test('any header and any text have a result', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: CODE_POINT }), (acceptLanguage, message) => {
      assert.equal(typeof inLanguage(acceptLanguage, new BadRequestError(message)), 'string')
    }),
  )
})
