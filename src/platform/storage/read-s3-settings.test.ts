import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOf } from '../../../test/features/config-problems.ts'
import { readConfig } from '../config/config.ts'

test('files are stored in a bucket if it is enabled, and served at its alias or by this server', () => {
  const on = { S3_ENABLED: 'true', S3_BUCKET: 'media', LOCAL_DOMAIN: 'a.example' }
  const plain = readConfig(on)
  assert.deepEqual(
    [plain.s3?.region, plain.s3?.endpoint, plain.s3?.permission, plain.filesUrl],
    ['us-east-1', null, null, 'https://a.example/system/'],
  )
  const aliased = readConfig({
    ...on,
    S3_ALIAS_HOST: 'Files.example/own',
    S3_KEY_PREFIX: '/a/',
    S3_HOSTNAME: 's3.example',
  })
  assert.deepEqual(
    [aliased.s3?.endpoint, aliased.s3?.pathStyle, aliased.s3?.permission, aliased.filesUrl],
    ['https://s3.example', true, 'public-read', 'https://files.example/own/a/'],
  )
  assert.equal(readConfig({ ...on, S3_ALIAS_HOST: 'files.example', S3_PERMISSION: '' }).s3?.permission, null)
  assert.equal(readConfig({ ...on, S3_ENDPOINT: 'http://x:9000', S3_OVERRIDE_PATH_STYLE: 'true' }).s3?.pathStyle, false)
  assert.equal(readConfig({}).s3, null)
  assert.deepEqual(problemsOf({ S3_ENABLED: 'false', S3_BUCKET: 'media' }), [])
  // The administrator has probably forgotten S3_ENABLED.
  assert.deepEqual(problemsOf({ S3_BUCKET: 'media' }), ['S3_BUCKET is set without S3_ENABLED=true'])
  assert.deepEqual(problemsOf({ S3_ENABLED: 'true' }), ['S3_ENABLED is set without S3_BUCKET'])
  assert.deepEqual(problemsOf({ S3_ENABLED: 'maybe' }), ['S3_ENABLED must be true or false, not "maybe"'])
  const wrongs: Record<string, string>[] = [
    { S3_ENDPOINT: 's3.example' },
    { S3_ENDPOINT: 'https://user:pass@s3.example' },
    { S3_ALIAS_HOST: 'https://files.example' },
    { S3_ALIAS_HOST: 'files.example; script-src *' },
    { S3_PERMISSION: 'public' },
    { S3_KEY_PREFIX: 'a b' },
    { S3_SIGNATURE_VERSION: 's3' },
    { S3_PROTOCOL: 'ftp' },
    { S3_BUCKET: 'a/b' },
    { AWS_ACCESS_KEY_ID: 'x' },
  ]
  for (const wrong of wrongs) {
    assert.equal(problemsOf({ ...on, ...wrong }).length, 1, JSON.stringify(wrong))
  }
})
