import { useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminCanonicalEmailBlock } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Field } from '../shared/form/field.tsx'
import { useSubmit } from '../shared/form/use-submit.ts'
import admin from '../shared/admin.module.css'
import styles from './email-test.module.css'

/** Tests whether an e-mail address is blocked, since the list contains only hashes. */
export function EmailTest() {
  const [email, setEmail] = useState('')
  const [result, setResult] = useState<{ email: string; blocks: readonly AdminCanonicalEmailBlock[] } | null>(null)
  const { form, errors, failure, submit } = useSubmit()
  const test = () =>
    void submit(async () => {
      setResult(null)
      const blocks = await adminApi('canonical_email_blocks', 'test').create({ email })
      setResult({ email, blocks: blocks as AdminCanonicalEmailBlock[] })
    })
  return (
    <form
      ref={form}
      className={`${admin.part} ${styles.form}`}
      onSubmit={(event) => {
        event.preventDefault()
        test()
      }}
    >
      <Field label={message('web.admin.canonical-blocks.test')} error={errors['email'] ?? (failure || undefined)}>
        {(props) => (
          <input
            {...props}
            type="email"
            required
            dir="ltr"
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </Field>
      <p>
        <button type="submit" className="button button-line button-small">
          {message('web.admin.canonical-blocks.test-button')}
        </button>
      </p>
      <p role="status">
        {result &&
          message(
            result.blocks.length > 0 ? 'web.admin.canonical-blocks.blocked' : 'web.admin.canonical-blocks.not-blocked',
            { email: result.email },
          )}
      </p>
    </form>
  )
}
