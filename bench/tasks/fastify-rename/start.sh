# A rename in four files of an npm package.
npm pack --silent fastify@5.6.2
tar xzf fastify-5.6.2.tgz --strip-components 1
rm fastify-5.6.2.tgz
