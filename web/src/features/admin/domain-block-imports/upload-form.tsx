import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { FormField } from '../shared/forms/form-field.tsx'
import { uploadBlockList } from './import-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './upload-form.module.css'

/** Uploads a list of domain blocks, and opens its drafts. */
export function UploadForm() {
  const [file, setFile] = useState<File | null>(null)
  const [error, setError] = useState<string | undefined>()
  const [isBusy, setIsBusy] = useState(false)
  const navigate = useNavigate()
  const upload = async () => {
    if (!file) return
    setIsBusy(true)
    setError(undefined)
    try {
      const { id } = await uploadBlockList(file)
      await navigate({ to: '/admin/domain_blocks/imports/$id', params: { id } })
    } catch (cause) {
      setError(cause instanceof Error && cause.message !== '' ? cause.message : message('web.admin.action-failed'))
      setIsBusy(false)
    }
  }
  return (
    <section className={admin.part}>
      <p>{message('web.admin.imports.text')}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void upload()
        }}
      >
        <FormField
          label={message('web.admin.imports.file')}
          hint={message('web.admin.imports.file-hint')}
          error={error}
        >
          {(attributes) => (
            <input
              {...attributes}
              type="file"
              required
              accept=".csv,text/csv,text/plain"
              onChange={({ target }) => {
                setFile(target.files?.[0] ?? null)
                setError(undefined)
              }}
            />
          )}
        </FormField>
        <p role="alert" className="unseen">
          {error}
        </p>
        <p>
          <button type="submit" className="button" disabled={isBusy}>
            {message('web.admin.imports.upload')}
          </button>
        </p>
      </form>
    </section>
  )
}
