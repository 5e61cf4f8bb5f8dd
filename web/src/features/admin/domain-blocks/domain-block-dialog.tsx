import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminDomainBlock } from '../../../lib/api/admin-entities.ts'
import { toCamelCase } from '../../../lib/api/convert-names.ts'
import type { FieldErrors } from '../../../lib/api/field-errors.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { changedValues } from '../shared/form/changed-values.ts'
import { Field } from '../shared/form/field.tsx'
import { useSubmit } from '../shared/form/use-submit.ts'
import {
  createDomainBlock,
  deleteDomainBlock,
  NEW_RULE,
  ruleOf,
  SEVERITIES,
  updateDomainBlock,
} from './domain-block-queries.ts'
import type { DomainBlockRule } from './domain-block-queries.ts'
import { DomainPreview } from './domain-preview.tsx'
import admin from '../shared/admin.module.css'

/** Creates a block, or changes one. Shows what is stored of the domain before it is blocked. */
export function DomainBlockDialog({ block, onClose }: { block: AdminDomainBlock | null; onClose: () => void }) {
  const [domain, setDomain] = useState(block?.domain ?? '')
  const [opened] = useState(() => ruleOf(block ?? NEW_RULE))
  const [rule, setRule] = useState(opened)
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const queryClient = useQueryClient()
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin'] })
  const save = () =>
    void submit(async () => {
      const undo = await saveBlock({ block, domain, opened, rule })
      onClose()
      showDecision({
        text: message(block ? 'web.admin.domain-blocks.changed' : 'web.admin.domain-blocks.created', { domain }),
        undo: () => undo().then(refresh),
      })
      await refresh()
    })
  return (
    <AdminDialog
      focus="first"
      title={block ? block.domain : message('web.admin.domain-blocks.new')}
      confirm={message(block ? 'web.admin.save' : 'web.admin.domain-blocks.block')}
      dangerous={!block && rule.severity === 'suspend'}
      isBusy={isBusy}
      failure={failure}
      form={form}
      onConfirm={save}
      onClose={onClose}
    >
      {!block && (
        <Field label={message('web.admin.domain-blocks.domain')} error={errors['domain']}>
          {(props) => (
            <input
              {...props}
              required
              dir="ltr"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={domain}
              onChange={({ target }) => setDomain(target.value)}
            />
          )}
        </Field>
      )}
      <DomainPreview domain={domain} />
      <RuleFields rule={rule} errors={toCamelCase(errors) as FieldErrors} onChange={setRule} />
    </AdminDialog>
  )
}

/** Returns how to take the change back. */
async function saveBlock({
  block,
  domain,
  opened,
  rule,
}: {
  block: AdminDomainBlock | null
  domain: string
  /** The choices with which the form was opened. */
  opened: DomainBlockRule
  rule: DomainBlockRule
}): Promise<() => Promise<void>> {
  if (block) {
    await updateDomainBlock(block.id, changedValues(opened, rule))
    return () => updateDomainBlock(block.id, changedValues(rule, opened))
  }
  const created = await createDomainBlock(domain, rule)
  return () => deleteDomainBlock(created.id)
}

function RuleFields({
  rule,
  errors,
  onChange,
}: {
  rule: DomainBlockRule
  errors: FieldErrors
  onChange: (rule: DomainBlockRule) => void
}) {
  return (
    <>
      <Field
        label={message('web.admin.domain-blocks.severity')}
        hint={message(`web.admin.domain-blocks.explained.${rule.severity}`)}
      >
        {(props) => (
          <select
            {...props}
            value={rule.severity}
            onChange={({ target }) =>
              onChange({ ...rule, severity: SEVERITIES.find((name) => name === target.value) ?? 'silence' })
            }
          >
            {SEVERITIES.map((name) => (
              <option key={name} value={name}>
                {message(`web.admin.domain-blocks.severity.${name}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div>
        {(['rejectMedia', 'rejectReports', 'obfuscate'] as const).map((name) => (
          <label key={name} className={admin.check}>
            <input
              type="checkbox"
              checked={rule[name]}
              onChange={({ target }) => onChange({ ...rule, [name]: target.checked })}
            />
            {message(`web.admin.domain-blocks.${name}`)}
          </label>
        ))}
      </div>
      {(['privateComment', 'publicComment'] as const).map((name) => (
        <Field key={name} label={message(`web.admin.domain-blocks.${name}`)} error={errors[name]}>
          {(props) => (
            <input
              {...props}
              dir="auto"
              value={rule[name] ?? ''}
              onChange={({ target }) => onChange({ ...rule, [name]: target.value })}
            />
          )}
        </Field>
      ))}
    </>
  )
}
