import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { Field } from '../shared/form/field.tsx'
import { useSubmit } from '../shared/form/use-submit.ts'
import { uploadBlockList } from './import-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './upload-form.module.css'
import { SteadyButton } from '../../../ui/forms/steady-button.tsx'

/** Uploads a list of domain blocks, and opens its drafts. */
export function UploadForm() {
  const [file, setFile] = useState<File | null>(null)
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const navigate = useNavigate()
  const error = Object.values(errors)[0] ?? (failure || undefined)
  const upload = () =>
    file &&
    void submit(async () => {
      const { id } = await uploadBlockList(file)
      await navigate({ to: '/admin/domain_blocks/imports/$id', params: { id } })
    })
  return (
    <section className={admin.part}>
      <p>{message('web.admin.imports.text')}</p>
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          upload()
        }}
      >
        <Field label={message('web.admin.imports.file')} hint={message('web.admin.imports.file-hint')} error={error}>
          {(props) => (
            <input
              {...props}
              type="file"
              required
              accept=".csv,text/csv,text/plain"
              onChange={({ target }) => setFile(target.files?.[0] ?? null)}
            />
          )}
        </Field>
        <p role="alert" className="unseen">
          {error}
        </p>
        <p>
          <SteadyButton type="submit" className="button" isUnusable={isBusy}>
            {message('web.admin.imports.upload')}
          </SteadyButton>
        </p>
      </form>
    </section>
  )
}
