import { PLAYBOOK_FORMS, type playbooksApi } from '@muster/contracts';
import { formOf, type Handlers, ok, queued, rendition, settingsOf } from '@muster/service-kit';
import { documentReply, withVary } from '../reports/rendering.service.ts';
import { cacaoPlaybook } from './cacao.rules.ts';
import { playbookDocument } from './document.texts.ts';
import { startGeneration } from './playbook.jobs.ts';
import { toPlaybook } from './playbook.model.ts';
import { findPlaybook, listPlaybooks } from './playbook.service.ts';

export const playbookHandlers: Handlers<typeof playbooksApi> = {
  listPlaybooks: async (ctx, { query }) => ok(await listPlaybooks(ctx, query)),
  generatePlaybook: async (ctx, { params }) => queued(await startGeneration(ctx, params.session_id)),
  getPlaybook: async (ctx, { params, query: { format, version }, caller }) => {
    const form = formOf(PLAYBOOK_FORMS, { format, accept: caller.accept });
    const found = await findPlaybook(ctx, params.session_id, version);
    const playbook = toPlaybook(found);
    if (form === 'json') return withVary(ok(playbook));
    const name = `playbook-${found.session_id}-v${found.version}`;
    if (form === 'cacao') {
      const exported = cacaoPlaybook(playbook, {
        organization_id: ctx.org,
        roles: found.roles,
        first_created_at: found.first_created_at.toISOString(),
      });
      const content = JSON.stringify(exported, null, 2);
      return withVary(rendition(PLAYBOOK_FORMS.cacao, content, { filename: `${name}.cacao.json` }));
    }
    const { organization } = await settingsOf(ctx);
    const { roles, scenario_title } = found;
    const document = playbookDocument(playbook, { organization, roles, scenario_title });
    return await documentReply(document, form, { name, date: found.created_at });
  },
};
