import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import { toCamelCase } from '../../../lib/api/convert-names.ts'
import type { FieldErrors } from '../../../lib/api/field-errors.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { useSubmit } from '../shared/form/use-submit.ts'
import { changedValues, pick } from '../shared/form/changed-values.ts'
import { Field } from '../shared/form/field.tsx'
import type { ResourceField, ResourceForm, Values } from './resource.ts'
import admin from '../shared/admin.module.css'

/** The form of a new row, or of an existing one. */
export function ResourceDialog<Row extends { id: string }>({
  resource,
  subject,
  onClose,
}: {
  resource: ResourceForm<Row>
  /** The row to change, or the first values of a new one. */
  subject: { row: Row } | { title: string; initial: Values }
  onClose: () => void
}) {
  const row = 'row' in subject ? subject.row : null
  const before = 'row' in subject ? resource.valuesOf(subject.row) : subject.initial
  const title = 'row' in subject ? resource.describe(subject.row).name : subject.title
  const [opened] = useState<Values>(() => ({ ...before, ...(row && resource.shownValuesOf?.(row)) }))
  const [values, setValues] = useState(opened)
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const problems = toCamelCase(errors) as FieldErrors
  const queryClient = useQueryClient()
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin'] })
  const save = () =>
    void submit(async () => {
      const changes = changedValues(opened, values)
      const saved = (await (row
        ? adminApi(resource.path, row.id).update(changes)
        : adminApi(resource.path).create(values))) as Row
      onClose()
      showDecision({
        text: message('web.admin.saved', { name: resource.describe(saved).name }),
        undo: async () => {
          await (row
            ? adminApi(resource.path, row.id).update(pick(before, Object.keys(changes)))
            : adminApi(resource.path, saved.id).remove())
          await refresh()
        },
      })
      await refresh()
    })
  return (
    <AdminDialog
      focus="first"
      title={title}
      confirm={message('web.admin.save')}
      isBusy={isBusy}
      failure={failure}
      form={form}
      onConfirm={save}
      onClose={onClose}
    >
      {resource.fields(row).map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={values[field.name]}
          error={problems[field.name]}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
    </AdminDialog>
  )
}

function FieldInput({
  field,
  value,
  error,
  onChange,
}: {
  field: ResourceField
  value: Values[string] | undefined
  error: string | undefined
  onChange: (value: string | boolean) => void
}) {
  if (field.type === 'switch')
    return (
      <label className={admin.check}>
        <input type="checkbox" checked={value === true} onChange={({ target }) => onChange(target.checked)} />
        {field.label}
      </label>
    )
  const text = String(value ?? '')
  const isCode = field.type === 'domain' || field.type === 'email' || field.type === 'url'
  return (
    <Field label={field.label} hint={'hint' in field ? field.hint : undefined} error={error}>
      {(props) =>
        field.type === 'choice' ? (
          <select {...props} value={text} onChange={({ target }) => onChange(target.value)}>
            {field.options.map(([option, label]) => (
              <option key={option} value={option}>
                {label}
              </option>
            ))}
          </select>
        ) : field.type === 'text' ? (
          <textarea
            {...props}
            dir="auto"
            rows={4}
            required={field.isRequired}
            value={text}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : (
          <input
            {...props}
            type={field.type === 'email' || field.type === 'url' ? field.type : 'text'}
            dir={isCode ? 'ltr' : 'auto'}
            autoComplete="off"
            autoCapitalize={isCode ? 'none' : undefined}
            spellCheck={!isCode}
            required={field.isRequired}
            value={text}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  )
}
