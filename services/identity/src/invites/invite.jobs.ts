import { sealedSecret } from '@muster/contracts';
import { open, work } from '@muster/service-kit';
import { z } from 'zod';
import { config } from '../config.ts';
import { messageIdOf } from '../mail/mail.rules.ts';
import { requireSender, sendMail } from '../mail/mail.service.ts';
import { organizations } from '../organizations/organization.model.ts';
import { invites } from './invite.model.ts';
import { linkBinding } from './invite.rules.ts';
import { invitedBy } from './invitee.service.ts';
import { inviteMail } from './mail.texts.ts';

const TIMEOUT_MS = 60_000;

/**
 * Mails an invitation, unless it was renewed, used or taken back meanwhile. A repetition carries the same Message-ID.
 * The link travels sealed: jobs are kept for longer than it may be known.
 */
export const inviteMailing = work({
  kind: 'invite-mail',
  timeoutMs: TIMEOUT_MS,
  payload: z.strictObject({ invite: z.string(), link: sealedSecret }),
  run: async (ctx, payload) => {
    const invite = await invites(ctx).findOne({ _id: payload.invite });
    const membership = invite && (await invitedBy(ctx, invite));
    const organization = await organizations(ctx).findOne({ _id: ctx.org });
    if (!membership || !organization) return null;
    const { member, user } = membership;
    const { inviter, expires_at } = invite;
    const sender = await requireSender(ctx);
    const mail = inviteMail(
      { name: user.name, address: user.email },
      {
        organization: organization.name,
        inviter,
        role: member.role,
        expires_at,
        url: open(config(ctx).KEY_ENCRYPTION_KEY, linkBinding(ctx.org, payload.invite), payload.link),
      },
      messageIdOf(`invite.${member._id}.${expires_at.getTime()}`, sender.from),
    );
    await sendMail(sender, mail);
    return null;
  },
});
