import { useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminCanonicalEmailBlock } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { runOrReport } from '../shared/decisions/undo.ts'
import { FormField } from '../shared/forms/form-field.tsx'
import admin from '../shared/admin.module.css'
import styles from './email-test.module.css'

/** Tests whether an e-mail address is blocked, since the list contains only hashes. */
export function EmailTest() {
  const [email, setEmail] = useState('')
  const [result, setResult] = useState<{ email: string; blocks: readonly AdminCanonicalEmailBlock[] } | null>(null)
  const test = () =>
    void runOrReport(async () => {
      const blocks = await adminApi('canonical_email_blocks', 'test').create({ email })
      setResult({ email, blocks: blocks as AdminCanonicalEmailBlock[] })
    })
  return (
    <form
      className={`${admin.part} ${styles.form}`}
      onSubmit={(event) => {
        event.preventDefault()
        test()
      }}
    >
      <FormField label={message('web.admin.canonical-blocks.test')}>
        {(attributes) => (
          <input
            {...attributes}
            type="email"
            required
            dir="ltr"
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </FormField>
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
