/** Endings that are files rather than domains, unless it was written defanged. */
export const FILE_ENDINGS = new Set(
  (
    'py sh pl rs md so zip mov ps pm vb cs js ts mm kt hs lua php asp aspx jsp jar war exe dll sys bin dat db sql ' +
    'doc docx docm xls xlsx xlsm ppt pptx pdf rtf txt log csv json xml yml yaml ini cfg conf html htm hta css ico png jpg ' +
    'jpeg gif svg bmp iso img vhd vhdx lnk bat cmd vbs vbe jse wsf wsh msi msix cab rar gz tar tgz bz7 apk ipa dmg pkg deb ' +
    'rpm elf mach o a lib pdb tmp bak old key pem crt cer pfx p12 eml msg one onepkg chm scr com1 pif cpl inf reg url'
  ).split(' '),
);
/** Names that end like a domain and are products, formats or code. */
export const PRODUCTS =
  /^(?:asp|vb|ado|ml|paint|system|microsoft|windows|java|node|next|vue|react|angular|socket|three|d3|express|moment|chart|discord)\.(?:net|js|io|co|me|it|ai)$/i;

/** Hosts that everyone knows: what is written of them plainly is a reference. */
export const KNOWN_HOSTS = new Set(
  (
    'google.com youtube.com gstatic.com googleapis.com googleusercontent.com microsoft.com microsoftonline.com office.com live.com outlook.com ' +
    'windows.com windowsupdate.com azure.com msn.com bing.com sharepoint.com onedrive.com apple.com icloud.com amazon.com ' +
    'amazonaws.com cloudflare.com akamai.com fastly.com github.com githubusercontent.com gitlab.com bitbucket.org ' +
    'stackoverflow.com npmjs.com pypi.org python.org docker.com kubernetes.io debian.org ubuntu.com redhat.com ' +
    'facebook.com instagram.com whatsapp.com twitter.com x.com t.co linkedin.com reddit.com medium.com substack.com ' +
    'telegram.org t.me discord.com discord.gg slack.com zoom.us dropbox.com box.com mega.nz pastebin.com wikipedia.org ' +
    'mitre.org cve.org nist.gov cisa.gov us-cert.gov fbi.gov ic3.gov nsa.gov justice.gov treasury.gov europa.eu enisa.europa.eu ' +
    'ncsc.gov.uk bsi.bund.de cert.ssi.gouv.fr cyber.gov.au cyber.gc.ca jpcert.or.jp first.org misp-project.org oasis-open.org ' +
    'virustotal.com abuse.ch any.run hybrid-analysis.com joesandbox.com shodan.io censys.io urlscan.io greynoise.io ' +
    'alienvault.com talosintelligence.com mandiant.com crowdstrike.com paloaltonetworks.com unit42.com sentinelone.com ' +
    'sophos.com eset.com welivesecurity.com kaspersky.com securelist.com trendmicro.com symantec.com broadcom.com ' +
    'proofpoint.com checkpoint.com fortinet.com fortiguard.com cisco.com rapid7.com tenable.com qualys.com elastic.co ' +
    'splunk.com recordedfuture.com secureworks.com huntress.com redcanary.com volexity.com bleepingcomputer.com ' +
    'thehackernews.com therecord.media krebsonsecurity.com darkreading.com securityweek.com cyberscoop.com zdnet.com ' +
    'wired.com theregister.com arstechnica.com reuters.com bbc.com bbc.co.uk cnn.com nytimes.com wsj.com bloomberg.com ' +
    'w3.org ietf.org rfc-editor.org iana.org icann.org mozilla.org adobe.com oracle.com ibm.com vmware.com citrix.com ' +
    'ivanti.com salesforce.com okta.com auth0.com atlassian.com zendesk.com servicenow.com sap.com wordpress.org ' +
    'wordpress.com letsencrypt.org digicert.com schema.org ipify.org ipinfo.io ip-api.com ifconfig.me icanhazip.com'
  ).split(' '),
);
/** Of documentation and private use: RFC 2606, RFC 6761, RFC 8375. */
export const RESERVED_NAMES =
  /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid|localhost|local|lan|internal|corp|home|home\.arpa|in-addr\.arpa|ip6\.arpa)$/;
